import type { ChangedRows } from '../../core/database/changed_rows.js'
import type { EventDraft } from '../../core/events/outbox.js'
import type { Waiter } from '../../core/yielding.js'
import type { Origin } from '../operation/declaration.js'
import type { Rendered } from './render.js'

/** The input of a write, read and validated. */
export interface Input {
  query: unknown
  body: unknown
  /** Data that the operation requested from others before the transaction. */
  prefetched?: unknown
  /** Fingerprint of the request: the same for the same request. */
  fingerprint: () => string
  /**
   * Removes files that reading the input has stored; called once the write has certainly failed.
   */
  discard?: () => Promise<void>
}

/** A request to carry out an operation, wherever it comes from. */
export interface OperationRequest {
  params: Record<string, string>
  origin: Origin
  /** The request as it arrived; with it, the response may be cached for the same request. */
  asked?: string
  /** Reads the input; called only once the principal is let in. @throws its problems */
  input: () => Promise<Input>
  /** The `If-Match` of the requester. */
  ifMatch?: string
  /** Makes repeating the request safe. */
  idempotencyKey?: string | null
  /**
   * Checks the result of a write inside its transaction.
   * @throws an error if it must not be stored
   */
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
  /**
   * The representation of the subject (`representationOf`), before and afterwards; null for none.
   */
  was: unknown
  is: unknown
}
