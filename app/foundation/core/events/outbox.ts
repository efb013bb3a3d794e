import type { Instant } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { as, change, of, select } from '../database/statement.js'
import { columnName, storedRow, whole } from '../database/table.js'
import { newId } from '../ids.js'
import type { Actor, Principal, Tenant } from '../principal.js'
import { eventCounters, events, eventStreams } from './tables.js'
import { firstHash, timelineHash, type TimelineEntry } from './timeline_hash.js'

/** Most bytes of a payload as it is sent (docs/webhooks.md). */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/** Most characters of a title. */
const MAX_TITLE = 500

/** Name of the channel that tells other processes on PostgreSQL of new events. */
export const EVENTS_CHANNEL = 'tarmac_events'

/** Something that happened, as a module records it. */
export interface EventDraft {
  /** A declared webhook event, or a type that only the timeline knows. */
  type: string
  /** What deliveries keep in order: `release:<id>`, `group:<id>`, … */
  entityKey: string
  title: string
  appId?: string
  /** Internal id of the release whose timeline shows it. */
  releaseId?: string
  stepConfigId?: string
  /** What the timeline entry carries. */
  data?: Record<string, unknown>
  /**
   * The members of the webhook payload beyond `id … org`; absent for an event that only
   * the timeline knows. A function is asked when the transaction ends, so that it shows
   * the state the transaction leaves behind.
   */
  payload?:
    Record<string, unknown> | (() => Record<string, unknown> | Promise<Record<string, unknown>>)
  /** Where to read the resource when the payload is too large to send. */
  url?: string
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

const names = Object.keys(events.columns).map(columnName)

const INSERT = change(
  `insert into events (${names.join(', ')}) values (${names
    .map((name) => (name === 'organization_id' ? ':org' : `:${name}`))
    .join(', ')})`
)

const takeNumbers = (more = {}) =>
  change(
    `insert into event_counters (organization_id, last) values (:org, :count)
     on conflict (organization_id) do update set last = event_counters.last + :count`,
    { ...of(eventCounters, 'event_counters', ['last']), ...more }
  )
const TAKE_NUMBERS = takeNumbers()
// The other processes hear of it when this transaction has committed.
const TAKE_NUMBERS_AND_TELL = takeNumbers({
  told: as(whole(), `pg_notify('${EVENTS_CHANNEL}', '')`),
})

const ends = (suffix: string) =>
  select(
    of(eventStreams, 's', ['position', 'hash']),
    `from event_streams s where s.organization_id = :org and s.release_id = :releaseId ${suffix}`
  )
const STREAM_END = ends('')
const LOCKED_STREAM_END = ends('for update')

const CLOSE_STREAM = change(
  `insert into event_streams (release_id, organization_id, position, hash)
   values (:releaseId, :org, :position, :hash)
   on conflict (release_id) do update set position = :position, hash = :hash`
)

/** The timeline of one release while events are added to it. */
interface Stream {
  position: number
  hash: string
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
    principal: Principal,
    private readonly now: Instant,
    private readonly options: { isShared: boolean; publicUrl: string }
  ) {
    this.#organization = principal.organization
    this.#actor = principal.actor
  }

  /** A title that is too long to keep ends early. */
  record(draft: EventDraft): void {
    this.#drafts.push({ ...draft, title: clipped(draft.title) })
  }

  /** Writes what was recorded; answers what was stored. */
  async flush(): Promise<StoredEvent[]> {
    const drafts = this.#drafts
    this.#drafts = []
    if (drafts.length === 0) return []

    const streams = await this.#openStreams(drafts)
    // Payloads first: the counter is the organization's, and held as briefly as can be.
    const members: (Record<string, unknown> | null)[] = []
    for (const { payload } of drafts) {
      members.push(payload ? await (typeof payload === 'function' ? payload() : payload) : null)
    }
    let sequence = await this.#takeNumbers(members.filter((each) => each !== null).length)

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
      await this.#change(INSERT, {
        ...storedRow(events, {
          ...entry,
          appId: draft.appId ?? null,
          releaseId: draft.releaseId ?? null,
          entityKey: draft.entityKey,
          sequence: number,
          payload: payload && this.#payload(draft, id, number!, payload),
          position: stream?.position ?? null,
          previousHash,
          hash: stream?.hash ?? null,
        }),
      })
      const organizationId = this.#organization.id
      written.push({ id, type: draft.type, organizationId, sequence: number })
    }
    for (const [releaseId, end] of streams) {
      await this.#change(CLOSE_STREAM, { releaseId, ...end })
    }
    return written
  }

  #entry(id: string, { type, title, stepConfigId, data = {} }: EventDraft): TimelineEntry {
    return {
      id,
      type,
      title,
      occurredAt: this.now,
      actor: this.#actor,
      stepConfigId: stepConfigId ?? null,
      data,
    }
  }

  #change<Row>(statement: Parameters<typeof this.statements.change<Row>>[0], bindings: object) {
    return this.statements.change<Row>(statement, { ...bindings, org: this.#organization.id })
  }

  /** Takes the next numbers; the organization's counter stays locked, so none is lost. */
  async #takeNumbers(count: number): Promise<number> {
    if (count === 0) return 0
    const statement = this.options.isShared ? TAKE_NUMBERS_AND_TELL : TAKE_NUMBERS
    const { rows } = await this.#change(statement, { count })
    return rows[0].last - count
  }

  #payload(draft: EventDraft, id: string, sequence: number, members: object): string {
    const head = {
      id,
      eventType: draft.type,
      type: draft.type,
      createdAt: this.now,
      sequence,
      org: { id: this.#organization.id, name: this.#organization.name },
    }
    const full = JSON.stringify({ ...head, ...members })
    if (Buffer.byteLength(full) <= MAX_PAYLOAD_BYTES) return full
    // Absolute where the service knows the address people reach it at.
    const url = draft.url ? this.options.publicUrl + draft.url : null
    return JSON.stringify({ ...head, truncated: true, url })
  }

  async #openStreams(drafts: readonly EventDraft[]): Promise<Map<string, Stream>> {
    const ids = [...new Set(drafts.flatMap((draft) => draft.releaseId ?? []))].sort()
    const statement = this.options.isShared ? LOCKED_STREAM_END : STREAM_END
    const streams = new Map<string, Stream>()
    for (const releaseId of ids) {
      const bindings = { releaseId, org: this.#organization.id }
      const [end] = await this.statements.rows(statement, bindings)
      streams.set(releaseId, end ?? { position: 0, hash: firstHash(releaseId) })
    }
    return streams
  }
}

/** Counts code points, as PostgreSQL does, and never cuts one in two. */
function clipped(title: string): string {
  if (title.length <= MAX_TITLE) return title
  const characters = [...title]
  if (characters.length <= MAX_TITLE) return title
  return `${characters.slice(0, MAX_TITLE - 1).join('')}…`
}
