import { flag, instant, integer, json, optional, table, text } from '../database/table.js'
import type { Nature } from './kinds.js'

/**
 * Where an entry stands: to be done at its time, behind an earlier one of its entity, done,
 * or given up.
 */
type EntryState = 'planned' | 'behind' | 'done' | 'failed'

/** The agenda: timers, wishes, observations, and chores of the service itself. */
export const agendaEntries = table('agenda_entries', {
  /** In the order of planning. */
  place: integer(),
  id: text(),
  /** Null for what the service does for itself. */
  organizationId: optional(text()),
  nature: text<Nature>(),
  kind: text(),
  subject: text(),
  /** Wishes of one entity are carried out one after the other. */
  entityKey: optional(text()),
  idempotencyKey: text(),
  payload: json<unknown>(),
  state: text<EntryState>(),
  /** When it is to be done; null once it was cancelled while somebody was at it. */
  dueAt: optional(instant()),
  /** When a worker has to look at it: its time, that of the next attempt, or the end of a lease. */
  lookAt: optional(instant()),
  /** Attempts begun; one that a stopping worker hands back does not count. */
  attempts: integer(),
  /** Attempts of which nobody has learnt what came of them. */
  doubts: integer(),
  /** It was planned anew or cancelled while somebody was at it. */
  replanned: flag(),
  /** Milliseconds between the last two looks of an observation. */
  intervalMs: optional(integer()),
  /** Who is at it; only that claim may end it. */
  claimId: optional(text()),
  /** The process of that claim; null where nobody would take it over. */
  claimedBy: optional(text()),
  lastError: optional(text()),
  createdAt: instant(),
  finishedAt: optional(instant()),
})
