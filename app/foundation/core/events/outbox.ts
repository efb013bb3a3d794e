import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { as, change, of, type Bindings, type Change } from '../database/statement.js'
import { columnsOf, storedRow, text, integer, type Stored } from '../database/table.js'
import { newId } from '../ids.js'
import { giveWay } from '../turns.js'
import type { Actor, Principal, Tenant } from '../principal.js'
import { eventCatalog } from './catalog.js'
import { briefOf } from './payloads.js'
import { eventCounters, events, eventStreams } from './tables.js'
import { firstHash, timelineHash, type TimelineEntry } from './timeline_hash.js'

/** Most bytes of a payload as it is sent (docs/webhooks.md). */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/** Most characters of a title. */
const MAX_TITLE = 500

/** After how many events others may be served. */
const DRAFTS_PER_TURN = 10

/** Name of the channel that tells other processes on PostgreSQL of new events. */
export const EVENTS_CHANNEL = 'tarmac_events'

/** Something that happened, as a module records it. */
export interface EventDraft {
  /** A declared webhook event, or a type that only the timeline knows. */
  type: string
  /** What deliveries keep in order: `release:<id>`, `group:<id>`, … */
  entityKey: string
  title: string
  /** Who did it, where that is another than who asks. */
  actor?: Actor
  appId?: string
  /** Internal id of the release whose timeline shows it. */
  releaseId?: string
  stepConfigId?: string
  /** What the timeline entry carries. */
  data?: Record<string, unknown>
  /** Absent for an event that only the timeline knows. */
  webhook?: WebhookDraft
}

/** What of an event is sent; asked when the transaction ends, of the state it leaves behind. */
export interface WebhookDraft {
  /** The members of the payload beyond `id … org`. */
  members(): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Path to read the very resource at, for a payload that is too large to send. */
  resource(): string
}

/** An event as it was stored. */
export interface StoredEvent {
  id: string
  type: string
  organizationId: string
  /** Null for one that only the timeline knows. */
  sequence: number | null
}

declare module '@adonisjs/core/types' {
  interface EventsList {
    /**
     * Events were committed. It announces inside this process only, and never makes an event
     * durable: that the outbox has done.
     */
    'events:committed': readonly StoredEvent[]
  }
}

const names = columnsOf(events)
const INSERT_EVENT = `insert into events (${names.join(', ')}) values (${names
  .map((name) => (name === 'organization_id' ? ':org' : `:${name}`))
  .join(', ')})`
const INSERT = change(INSERT_EVENT)

const CLOSE_STREAM_TEXT =
  'update event_streams set hash = :end where organization_id = :org and release_id = :release_id'
const CLOSE_STREAM = change(CLOSE_STREAM_TEXT)
/** Where a statement may hold another: one way to the database and back less. */
const INSERT_AND_CLOSE = change(`with closed as (${CLOSE_STREAM_TEXT}) ${INSERT_EVENT}`)

const TAKE_NUMBERS_TEXT = `insert into event_counters (organization_id, last) values (:org, :count)
  on conflict (organization_id) do update set last = event_counters.last + :count`
/** The other processes hear of it when this transaction has committed. */
const told = { told: as(text(), `pg_notify('${EVENTS_CHANNEL}', '')`) }
const taken = of(eventCounters, 'event_counters', ['last'])
const TAKE_NUMBERS = change(TAKE_NUMBERS_TEXT, taken)
const TAKE_NUMBERS_AND_TELL = change(TAKE_NUMBERS_TEXT, { ...taken, ...told })

const TAKE_PLACES_TEXT = `insert into event_streams (release_id, organization_id, position, hash)
  values (:releaseId, :org, :entries, :first)
  on conflict (release_id) do update set position = event_streams.position + :entries`
const places = of(eventStreams, 'event_streams', ['position', 'hash'])
const TAKE_PLACES = change(TAKE_PLACES_TEXT, places)
const TAKE_PLACES_AND_NUMBERS = change(
  `with numbers as (${TAKE_NUMBERS_TEXT} returning last) ${TAKE_PLACES_TEXT}`,
  { ...places, last: as(integer(), '(select last from numbers)'), ...told }
)

/** The timeline of one release while events are added to it. */
interface Stream {
  position: number
  hash: string
  /** Its place once all of them are added. */
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

  constructor(
    private readonly statements: StatementRunner,
    private readonly principal: Principal,
    private readonly now: Instant,
    private readonly options: { isShared: boolean; serviceUrl: string }
  ) {
    this.#organization = principal.organization
    this.#actor = principal.actor
  }

  /** A title that is too long to keep ends early. */
  record(draft: EventDraft): void {
    this.#drafts.push({ ...draft, title: clipped(draft.title) })
  }

  /** What was recorded since the last writing. */
  get recorded(): readonly EventDraft[] {
    return this.#drafts
  }

  /** An outbox of the same transaction whose events nobody writes. */
  apart(): Outbox {
    return new Outbox(this.statements, this.principal, this.now, this.options)
  }

  /** Writes what was recorded; answers what was stored. */
  async flush(): Promise<StoredEvent[]> {
    const drafts = this.#drafts
    this.#drafts = []
    if (drafts.length === 0) return []

    // Payloads first: the counter is the organization's, and held as briefly as can be.
    const members: (Record<string, unknown> | null)[] = []
    for (const [index, { webhook }] of drafts.entries()) {
      members.push(webhook ? await webhook.members() : null)
      if (index % DRAFTS_PER_TURN === DRAFTS_PER_TURN - 1) await giveWay()
    }
    const count = members.filter((each) => each !== null).length
    const { streams, before } = await this.#take(entriesOf(drafts), count)
    let sequence = before

    const written: StoredEvent[] = []
    for (const [index, draft] of drafts.entries()) {
      const id = newId('evt')
      const payload = members[index]
      const number = payload ? ++sequence : null
      const stream = draft.releaseId ? streams.get(draft.releaseId)! : undefined
      const entry = this.#entry(id, draft)
      const previousHash = stream?.hash ?? null
      if (stream) {
        stream.position += 1
        stream.hash = timelineHash(stream.hash, entry)
      }
      const row = storedRow(events, {
        ...entry,
        appId: draft.appId ?? null,
        releaseId: draft.releaseId ?? null,
        entityKey: draft.entityKey,
        sequence: number,
        payload: payload && this.#payload(draft, id, number!, payload),
        position: stream?.position ?? null,
        previousHash,
        hash: stream?.hash ?? null,
      })
      await this.#insert(row, stream?.position === stream?.end ? stream : undefined)
      const organizationId = this.#organization.id
      written.push({ id, type: draft.type, organizationId, sequence: number })
      if (index % DRAFTS_PER_TURN === DRAFTS_PER_TURN - 1) await giveWay()
    }
    return written
  }

  /** The last entry of a timeline says in its stream where it ends. */
  async #insert(row: Record<string, Stored>, closed: Stream | undefined) {
    if (closed && this.options.isShared) {
      return this.#send(INSERT_AND_CLOSE, { ...row, end: closed.hash })
    }
    await this.#send(INSERT, row)
    if (closed) await this.#send(CLOSE_STREAM, { release_id: row.release_id, end: closed.hash })
  }

  /**
   * Takes places in timelines, and the next numbers of the organization: its counter stays
   * locked, so none is lost.
   */
  async #take(entries: ReadonlyMap<string, number>, count: number) {
    const streams = new Map<string, Stream>()
    const add = (releaseId: string, { position, hash }: { position: number; hash: string }) =>
      streams.set(releaseId, { position: position - entries.get(releaseId)!, hash, end: position })
    const bindingsOf = (releaseId: string) => ({
      releaseId,
      entries: entries.get(releaseId)!,
      first: firstHash(releaseId),
    })
    const { isShared } = this.options
    const [only] = entries.keys()
    if (isShared && entries.size === 1 && count > 0) {
      const bindings = { ...bindingsOf(only), count }
      const { rows } = await this.#change(TAKE_PLACES_AND_NUMBERS, bindings)
      add(only, rows[0])
      return { streams, before: rows[0].last - count }
    }
    for (const releaseId of [...entries.keys()].sort()) {
      const { rows } = await this.#change(TAKE_PLACES, bindingsOf(releaseId))
      add(releaseId, rows[0])
    }
    if (count === 0) return { streams, before: 0 }
    const statement: Change<{ last: number }> = isShared ? TAKE_NUMBERS_AND_TELL : TAKE_NUMBERS
    const { rows } = await this.#change(statement, { count })
    return { streams, before: rows[0].last - count }
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

  /** The bytes to send: whole, or thin where they are too many (docs/webhooks.md). */
  #payload(
    { type, webhook }: EventDraft,
    id: string,
    sequence: number,
    members: Record<string, unknown>
  ): string {
    const head = {
      id,
      eventType: type,
      type,
      createdAt: this.now,
      sequence,
      org: { id: this.#organization.id, name: this.#organization.name },
    }
    const whole = JSON.stringify({ ...head, ...members })
    if (Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES) return whole
    const brief = briefOf(eventCatalog.get(type).payload, members)
    const url = this.options.serviceUrl + webhook!.resource()
    return JSON.stringify({ ...head, truncated: true, url, ...brief })
  }
}

/** How many entries each timeline gets, by release. */
function entriesOf(drafts: readonly EventDraft[]): Map<string, number> {
  const entries = new Map<string, number>()
  for (const { releaseId } of drafts) {
    if (releaseId) entries.set(releaseId, (entries.get(releaseId) ?? 0) + 1)
  }
  return entries
}

/** Counts code points, as PostgreSQL does, and never cuts one in two. */
function clipped(title: string): string {
  if (title.length <= MAX_TITLE) return title
  const characters = [...title]
  if (characters.length <= MAX_TITLE) return title
  return `${characters.slice(0, MAX_TITLE - 1).join('')}…`
}
