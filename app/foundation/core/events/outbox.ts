import { createHash } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Instant } from '../clock.js'
import env from '#start/env'
import { newId } from '../ids.js'
import type { Actor, Tenant } from '../scope.js'

/** Most bytes of a payload as it is sent (`contract/webhooks.md`). */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/** Most characters of a title. */
const MAX_TITLE = 500

/** Name of the channel that tells other processes on PostgreSQL of new events. */
export const EVENTS_CHANNEL = 'tarmac_events'

/** Something that happened, as a module records it. */
export interface EventDraft {
  /** A webhook event of the specification, or a timeline type of `entities.md`. */
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

interface StoredEvent {
  id: string
  type: string
  sequence: number | null
  position: number | null
}

/** Tells the rest of the process that events were committed. */
export type CommitListener = (events: readonly StoredEvent[]) => void

/**
 * Collects the events of one transaction and writes them before it commits, in the order
 * they were recorded: sequence of the organization, payload bytes as they will be sent,
 * and the hash chain of the release's timeline.
 */
export class Outbox {
  #drafts: EventDraft[] = []

  constructor(
    private readonly client: TransactionClientContract,
    private readonly organization: Tenant,
    private readonly actor: Actor,
    private readonly now: Instant
  ) {}

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
    let sequence = await this.#reserveSequences(drafts.filter((draft) => draft.payload).length)

    const rows: Record<string, unknown>[] = []
    for (const draft of drafts) {
      const id = newId('evt')
      const number = draft.payload ? ++sequence : null
      const stream = draft.releaseId ? streams.get(draft.releaseId) : undefined
      const entry = {
        id,
        type: draft.type,
        title: draft.title,
        occurredAt: this.now,
        actor: this.actor,
        stepConfigId: draft.stepConfigId ?? null,
        data: draft.data ?? {},
      }
      const previousHash = stream?.hash ?? null
      if (stream) {
        stream.position += 1
        stream.hash = chainHash(stream.hash, entry)
      }
      rows.push({
        id,
        organization_id: this.organization.id,
        type: draft.type,
        occurred_at: this.now,
        app_id: draft.appId ?? null,
        release_id: draft.releaseId ?? null,
        step_config_id: draft.stepConfigId ?? null,
        entity_key: draft.entityKey,
        sequence: number,
        payload: number === null ? null : await this.#payload(draft, id, number),
        title: draft.title,
        actor: JSON.stringify(this.actor),
        data: JSON.stringify(entry.data),
        position: stream?.position ?? null,
        previous_hash: previousHash,
        hash: stream?.hash ?? null,
      })
    }

    for (let start = 0; start < rows.length; start += 50) {
      await this.client.table('events').multiInsert(rows.slice(start, start + 50))
    }
    await this.#closeStreams(streams)
    if (this.client.dialect.name === 'postgres') {
      await this.client.rawQuery(`select pg_notify(?, '')`, [EVENTS_CHANNEL])
    }
    return rows.map((row) => ({
      id: row.id as string,
      type: row.type as string,
      sequence: row.sequence as number | null,
      position: row.position as number | null,
    }))
  }

  /** Takes the next numbers; the organization's row stays locked, so no number is lost. */
  async #reserveSequences(count: number): Promise<number> {
    if (count === 0) return 0
    const organization = () => this.client.from('organizations').where('id', this.organization.id)
    await organization().increment('event_sequence', count)
    const row = await organization().select('event_sequence').firstOrFail()
    return Number(row.event_sequence) - count
  }

  async #payload(draft: EventDraft, id: string, sequence: number): Promise<string> {
    const head = {
      id,
      eventType: draft.type,
      type: draft.type,
      createdAt: this.now,
      sequence,
      org: { id: this.organization.id, name: this.organization.name },
    }
    const members = typeof draft.payload === 'function' ? await draft.payload() : draft.payload
    const full = JSON.stringify({ ...head, ...members })
    if (Buffer.byteLength(full) <= MAX_PAYLOAD_BYTES) return full
    // Absolute where the service knows the address people reach it at.
    const base = env.get('PUBLIC_URL')?.replace(/\/+$/, '') ?? ''
    return JSON.stringify({ ...head, truncated: true, url: draft.url ? base + draft.url : null })
  }

  async #openStreams(drafts: EventDraft[]) {
    const ids = [...new Set(drafts.flatMap((draft) => draft.releaseId ?? []))].sort()
    const streams = new Map<string, { position: number; hash: string; fresh: boolean }>()
    for (const id of ids) {
      const query = this.client.from('event_streams').where('release_id', id)
      if (this.client.dialect.name === 'postgres') query.forUpdate()
      const row = await query.first()
      streams.set(
        id,
        row
          ? { position: Number(row.position), hash: row.hash, fresh: false }
          : { position: 0, hash: firstHash(id), fresh: true }
      )
    }
    return streams
  }

  async #closeStreams(streams: Map<string, { position: number; hash: string; fresh: boolean }>) {
    for (const [id, { position, hash, fresh }] of streams) {
      if (fresh) {
        await this.client
          .table('event_streams')
          .insert({ release_id: id, organization_id: this.organization.id, position, hash })
      } else {
        await this.client.from('event_streams').where('release_id', id).update({ position, hash })
      }
    }
  }
}

/** Counts code points, as PostgreSQL does, and never cuts one in two. */
function clipped(title: string): string {
  if (title.length <= MAX_TITLE) return title
  const characters = [...title]
  if (characters.length <= MAX_TITLE) return title
  return `${characters.slice(0, MAX_TITLE - 1).join('')}…`
}

/** Where the chain of a release begins. */
export function firstHash(releaseId: string): string {
  return createHash('sha256').update(`timeline ${releaseId}`).digest('hex')
}

/** The hash of a timeline entry: of the one before it and of all the entry says. */
export function chainHash(previous: string, entry: object): string {
  return createHash('sha256').update(previous).update(JSON.stringify(entry)).digest('hex')
}
