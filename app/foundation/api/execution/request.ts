import type { ChangedRows } from '../../core/database/changed_rows.js'
import type { EventDraft } from '../../core/events/outbox.js'
import type { Waiter } from '../../core/turns.js'
import type { Origin } from '../operation/declaration.js'
import type { Rendered } from './render.js'

/** What a write is made of, read and validated. */
export interface Input {
  query: unknown
  body: unknown
  /** What the operation has asked others ahead. */
  ahead?: unknown
  /** Of what was sent: the same request has the same. */
  fingerprint: () => string
  /** Takes back what reading it has stored (files), once the write is surely not done. */
  discard?: () => Promise<void>
}

/** A request to carry out an operation, wherever it comes from. */
export interface OperationRequest {
  params: Record<string, string>
  origin: Origin
  /** What was asked, as it came: where it is given, an answer may be kept for who asks the same. */
  asked?: string
  /** Reads the input; called only once the principal is let in. @throws its problems */
  input: () => Promise<Input>
  /** The `If-Match` of the asker. */
  ifMatch?: string
  /** Makes repeating the request safe. */
  idempotencyKey?: string | null
  /** Looks at what a write has come to, inside its transaction. @throws what keeps it from being stored */
  expect?: (would: Rehearsed) => void
  /** Who waits for the answer, where they may stop: then nothing is written. */
  waiter?: Waiter
}

/** What a write has come to, before it is stored. */
export interface Rehearsed {
  rendered: Rendered
  /** What it recorded, for webhooks and for timelines alone. */
  events: readonly EventDraft[]
  /** The rows that it changes itself. */
  rows: ChangedRows
}

/** What a rehearsal tells beyond that. */
export interface Rehearsal extends Rehearsed {
  /** The rows that follow from its events. */
  following: ChangedRows
  /** The representation that its precondition speaks of, before and afterwards; null for none. */
  was: unknown
  is: unknown
}
