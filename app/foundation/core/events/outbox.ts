import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import type { Bindings, Change } from '../database/statement.js'
import { storedRow } from '../database/table.js'
import { idsAt } from '../ids.js'
import { clipped } from '../text.js'
import { yieldToOthers } from '../yielding.js'
import type { Actor, Principal, Tenant } from '../principal.js'
import { eventCatalog } from './catalog.js'
import { briefOf, thinName } from './payloads.js'
import {
  CLOSE_STREAM,
  END_OF_STREAM,
  END_STREAM,
  INSERT,
  INSERT_MANY,
  Many,
  MANY,
  sharedInsert,
  TAKE_AND_INSERT_MANY,
  TAKE_NUMBERS,
  TAKE_PLACES,
  type EventRow,
  type Payload,
} from './event_statements.js'
import { events } from './tables.js'
import { firstHash, timelineHash, type TimelineEntry } from './timeline_hash.js'

/** Maximum size of a payload as it is sent (docs/explanation/webhooks.md). */
const MAX_PAYLOAD_BYTES = 256 * 1024

/** Maximum number of digits of an integer in JSON. */
const MAX_DIGITS = 16

/** Maximum number of characters of a title. */
const MAX_TITLE = 500

/** Number of events after which the process serves others. */
const DRAFTS_PER_TURN = 10

/** Something that happened, as a module records it. */
export interface EventDraft {
  /** A declared webhook event, or a type that only the timeline knows. */
  type: string
  /** The key that deliveries keep their order by: `release:<id>`, `group:<id>`, … */
  entityKey: string
  title: string
  /** The actor, if different from the requester. */
  actor?: Actor
  appId?: string
  /** Internal id of the release whose timeline shows it. */
  releaseId?: string
  stepConfigId?: string
  /** The data of the timeline entry. */
  data?: Record<string, unknown>
  /** Absent for an event that only the timeline knows. */
  webhook?: WebhookDraft
}

/** The webhook payload of an event; built when the transaction ends, from its final state. */
export interface WebhookDraft {
  /** Returns the members of the payload beyond `id … org`. */
  members(): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Returns the path to read the resource itself at, for a payload that is too large to send. */
  resource(): string
}

/** Returns whether an event is sent to webhooks. */
export const isPublicDraft = ({ webhook }: EventDraft): boolean => webhook !== undefined

/** An event as it was stored. */
export interface StoredEvent {
  id: string
  type: string
  organizationId: string
  /** False for one that only the timeline knows. */
  isPublic: boolean
}

declare module '@adonisjs/core/types' {
  interface EventsList {
    /**
     * Events were committed. This notifies this process only; the outbox has made the events
     * durable already.
     */
    'events:committed': readonly StoredEvent[]
  }
}

/** The timeline of one release while events are added to it. */
interface Stream {
  position: number
  hash: string
  /** Its position once all of them are added. */
  end: number
}

/**
 * Collects the events of one transaction and writes them before it commits, in the order
 * they were recorded: sequence of the organization, payload bytes as they will be sent,
 * and the hash chain of the release's timeline.
 */
export class Outbox {
  readonly #organization: Tenant
  readonly #actor: Actor
  #drafts: EventDraft[] = []
  readonly #ends = new Map<string, Promise<{ position: number; hash: string }[]>>()

  constructor(
    private readonly statements: StatementRunner,
    private readonly principal: Principal,
    private readonly now: Instant,
    private readonly options: { isShared: boolean; serviceUrl: string; isApart?: true }
  ) {
    this.#organization = principal.organization
    this.#actor = principal.actor
  }

  /** Records an event; a title that is too long is clipped. */
  record(draft: EventDraft): void {
    this.#drafts.push({ ...draft, title: clipped(draft.title, MAX_TITLE) })
    if (draft.releaseId) this.#askForEnd(draft.releaseId)
  }

  /**
   * Reads and locks the end of a timeline early, while the write goes on. Only for the first
   * timeline, because locking several out of order could deadlock.
   */
  #askForEnd(releaseId: string) {
    if (!this.options.isShared || this.options.isApart || this.#ends.size > 0) return
    const bindings = { releaseId, org: this.#organization.id }
    const end = this.statements.rows(END_OF_STREAM, bindings)
    end.catch(() => {})
    this.#ends.set(releaseId, end)
  }

  /** The events recorded since the last write. */
  get recorded(): readonly EventDraft[] {
    return this.#drafts
  }

  /** Returns an outbox of the same transaction whose events are never written. */
  apart(): Outbox {
    return new Outbox(this.statements, this.principal, this.now, { ...this.options, isApart: true })
  }

  /** Writes the recorded events and returns them as stored. */
  async flush(): Promise<StoredEvent[]> {
    const drafts = this.#drafts
    this.#drafts = []
    if (drafts.length === 0) return []

    // Payloads first: the organization's counter is then locked as briefly as possible.
    const members: (Record<string, unknown> | null)[] = []
    for (const [index, { webhook }] of drafts.entries()) {
      members.push(webhook ? await webhook.members() : null)
      if (index % DRAFTS_PER_TURN === DRAFTS_PER_TURN - 1) await yieldToOthers()
    }
    const count = members.filter((each) => each !== null).length
    const streams = await this.#streamsOf(entriesOf(drafts))
    const numbers = { count, taken: 0, last: 0 }
    if (count > 0 && !this.options.isShared) {
      const { rows } = await this.#change(TAKE_NUMBERS, { count })
      numbers.last = rows[0].last
    }

    const many = this.options.isShared && drafts.length >= MANY ? new Many() : null
    const written: StoredEvent[] = []
    const idOf = idsAt('evt', Date.parse(this.now))
    const textOf = jsonTexts()
    for (const [index, draft] of drafts.entries()) {
      const id = idOf()
      const stream = draft.releaseId ? streams.get(draft.releaseId)! : undefined
      const entry = this.#entry(id, draft)
      const previousHash = stream?.hash ?? null
      if (stream) {
        stream.position += 1
        stream.hash = timelineHash(stream.hash, entry)
      }
      const row = {
        ...entry,
        appId: draft.appId ?? null,
        releaseId: draft.releaseId ?? null,
        entityKey: draft.entityKey,
        position: stream?.position ?? null,
        previousHash,
        hash: stream?.hash ?? null,
      }
      const payload = members[index] && this.#payload(draft, id, members[index], textOf)
      if (many) many.add(row, payload)
      else await this.#insert(row, payload, numbers, stream?.position === stream?.end)
      const organizationId = this.#organization.id
      written.push({ id, type: draft.type, organizationId, isPublic: payload !== null })
      if (index % DRAFTS_PER_TURN === DRAFTS_PER_TURN - 1) await yieldToOthers()
    }
    if (many) await this.#insertMany(many, count, streams)
    return written
  }

  async #insertMany(many: Many, count: number, streams: ReadonlyMap<string, Stream>) {
    let takes = count > 0
    for (const rows of many.parts(count)) {
      await this.#send(takes ? TAKE_AND_INSERT_MANY : INSERT_MANY, { rows, count })
      takes = false
    }
    for (const [releaseId, { position, hash: end }] of streams) {
      await this.#send(END_STREAM, { release_id: releaseId, position, end })
    }
  }

  /** @param isLast whether the timeline ends with this event, so that its end is stored */
  async #insert(
    row: EventRow,
    payload: Payload | null,
    numbers: { count: number; taken: number; last: number },
    isLast: boolean
  ) {
    const closes = isLast && row.releaseId !== null
    const takes = payload !== null && numbers.taken === 0
    if (payload) numbers.taken += 1
    const following = numbers.count - numbers.taken
    if (this.options.isShared) {
      const statement = sharedInsert({ takes, closes, isNumbered: payload !== null })
      const stored = storedRow(events, { ...row, sequence: null, payload: null })
      const { count } = numbers
      return this.#send(statement, { ...stored, ...payload, following, count, end: row.hash })
    }
    const sequence = payload && numbers.last - following
    const bytes = payload && payload.before + String(sequence) + payload.behind
    await this.#send(INSERT, storedRow(events, { ...row, sequence, payload: bytes }))
    if (closes) await this.#send(CLOSE_STREAM, { release_id: row.releaseId, end: row.hash })
  }

  /** Reserves positions in timelines; nobody else adds to them until the transaction ends. */
  async #streamsOf(entries: ReadonlyMap<string, number>) {
    const streams = new Map<string, Stream>()
    for (const releaseId of [...entries.keys()].sort()) {
      const count = entries.get(releaseId)!
      const [requested] = (await this.#ends.get(releaseId)) ?? []
      if (requested) {
        const { position, hash } = requested
        streams.set(releaseId, { position, hash, end: position + count })
        continue
      }
      const first = firstHash(releaseId)
      const { rows } = await this.#change(TAKE_PLACES, { releaseId, entries: count, first })
      const [{ position, hash }] = rows
      streams.set(releaseId, { position: position - count, hash, end: position })
    }
    this.#ends.clear()
    return streams
  }

  #entry(id: string, draft: EventDraft): TimelineEntry {
    const { type, title, actor = this.#actor, stepConfigId, data = {} } = draft
    return {
      id,
      type,
      title,
      occurredAt: this.now,
      actor,
      stepConfigId: stepConfigId ?? null,
      data,
    }
  }

  #change<Row>(statement: Change<Row>, bindings: Bindings) {
    return this.statements.change(statement, { ...bindings, org: this.#organization.id })
  }

  #send(statement: Change, bindings: Bindings) {
    return this.statements.send(statement, { ...bindings, org: this.#organization.id })
  }

  /**
   * Returns the bytes to send: whole, or thin if they are too many (docs/explanation/webhooks.md).
   */
  #payload(
    { type, webhook }: EventDraft,
    id: string,
    members: Record<string, unknown>,
    textOf: (value: unknown) => string | undefined
  ): Payload {
    const { payload: model } = eventCatalog.get(type)
    const org = { id: this.#organization.id, name: this.#organization.name }
    const payloadOf = (name: string, shown: Record<string, unknown>): Payload => {
      const head = { id, eventType: type, type, model: name, createdAt: this.now }
      const parts = [`"org":${JSON.stringify(org)}`]
      for (const [member, value] of Object.entries(shown)) {
        const text = textOf(value)
        if (text !== undefined) parts.push(`${JSON.stringify(member)}:${text}`)
      }
      return {
        before: `${JSON.stringify(head).slice(0, -1)},"sequence":`,
        behind: `,${parts.join(',')}}`,
      }
    }
    const whole = payloadOf(model.name, members)
    const bytes = Buffer.byteLength(whole.before) + Buffer.byteLength(whole.behind)
    if (bytes <= MAX_PAYLOAD_BYTES - MAX_DIGITS) return whole
    const url = this.options.serviceUrl + webhook!.resource()
    return payloadOf(thinName(model), { truncated: true, url, ...briefOf(model, members) })
  }
}

/** Writes values as JSON; an object that many payloads share, such as their release, once. */
function jsonTexts(): (value: unknown) => string | undefined {
  const texts = new Map<unknown, string | undefined>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    if (!texts.has(value)) texts.set(value, JSON.stringify(value))
    return texts.get(value)
  }
}

/** Counts the entries of each timeline, by release. */
function entriesOf(drafts: readonly EventDraft[]): Map<string, number> {
  const entries = new Map<string, number>()
  for (const { releaseId } of drafts) {
    if (releaseId) entries.set(releaseId, (entries.get(releaseId) ?? 0) + 1)
  }
  return entries
}
