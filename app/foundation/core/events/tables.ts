import type { Actor } from '../principal.js'
import { instant, json, optional, table, text, integer } from '../database/table.js'

/** The outbox: every event with its cause. Retention clears the payload, never the row. */
export const events = table('events', {
  id: text(),
  organizationId: text(),
  type: text(),
  occurredAt: instant(),
  appId: optional(text()),
  releaseId: optional(text()),
  stepConfigId: optional(text()),
  /** The key that deliveries keep their order by. */
  entityKey: text(),
  /** Number within the organization, public events only. */
  sequence: optional(integer()),
  /** The bytes to send. */
  payload: optional(text()),
  title: text(),
  actor: json<Actor>(),
  data: json<Record<string, unknown>>(),
  /** Place in the release's timeline, and the hashes that chain it. */
  position: optional(integer()),
  previousHash: optional(text()),
  hash: optional(text()),
})

/** The end of each release's timeline. */
export const eventStreams = table('event_streams', {
  releaseId: text(),
  organizationId: text(),
  position: integer(),
  hash: text(),
})

/** The numbers of each organization. */
export const eventCounters = table('event_counters', {
  organizationId: text(),
  /** The sequence of the last public event; grows without gaps. */
  last: integer(),
  /** Grows with every write that could change an answer (docs/decisions/0006-response-cache.md). */
  changes: integer(),
})
