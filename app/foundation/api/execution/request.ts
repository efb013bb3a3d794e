import type { ChangedRows } from '../../core/database/changed_rows.js'
import type { EventDraft } from '../../core/events/outbox.js'
import type { Waiter } from '../../core/yielding.js'
import type { Origin } from '../operation/declaration.js'
import type { Rendered } from './render.js'

/** The input of a write, read and validated. */
export interface Input {
  query: unknown
  body: unknown
  /** Data that the operation requested from others in advance. */
  ahead?: unknown
  /** Fingerprint of the request: the same for the same request. */
  fingerprint: () => string
  /** Takes back what reading it has stored (files), once the write is surely not done. */
  discard?: () => Promise<void>
}

/** A request to carry out an operation, wherever it comes from. */
export interface OperationRequest {
  params: Record<string, string>
  origin: Origin
  /** The request as it arrived; with it, the answer may be cached for the same request. */
  asked?: string
  /** Reads the input; called only once the principal is let in. @throws its problems */
  input: () => Promise<Input>
  /** The `If-Match` of the requester. */
  ifMatch?: string
  /** Makes repeating the request safe. */
  idempotencyKey?: string | null
  /** Looks at what a write has come to, inside its transaction. @throws what keeps it from being stored */
  expect?: (would: Rehearsed) => void
  /** The waiting client, if it may disconnect: then nothing is written. */
  waiter?: Waiter
}

/** The result of a write before it is stored. */
export interface Rehearsed {
  rendered: Rendered
  /** The recorded events, for webhooks and for timelines alone. */
  events: readonly EventDraft[]
  /** The rows that it changes itself. */
  rows: ChangedRows
}

/** Additional results of a rehearsal. */
export interface Rehearsal extends Rehearsed {
  /** The rows that follow from its events. */
  following: ChangedRows
  /** The representation that its precondition speaks of, before and afterwards; null for none. */
  was: unknown
  is: unknown
}
