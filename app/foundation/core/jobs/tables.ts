import { flag, instant, integer, json, optional, table, text } from '../database/table.js'
import type { Nature } from './kinds.js'

/** The state of a job. `behind` means that it waits for an earlier job of its entity. */
type JobState = 'planned' | 'behind' | 'done' | 'failed'

/** The job queue: timers, commands, observations, and chores of the service itself. */
export const jobs = table('jobs', {
  /** The position in the order of planning. */
  place: integer(),
  id: text(),
  /** Null for chores of the service itself. */
  organizationId: optional(text()),
  nature: text<Nature>(),
  kind: text(),
  subject: text(),
  /** Commands of one entity run one after the other. */
  entityKey: optional(text()),
  idempotencyKey: text(),
  payload: json<unknown>(),
  state: text<JobState>(),
  /** The due time; null if the job was cancelled while it was claimed. */
  dueAt: optional(instant()),
  /** When a worker may claim it: its due time, the time of a retry, or the end of a lease. */
  visibleAt: optional(instant()),
  /** Number of attempts, without those that a stopping worker released. */
  attempts: integer(),
  /** Number of attempts with an unknown outcome. */
  doubts: integer(),
  /** True if the job was replanned or cancelled while it was claimed. */
  replanned: flag(),
  /** Milliseconds between the last two polls of an observation. */
  intervalMs: optional(integer()),
  /** The claim that holds it. Only this claim may end it. */
  claimId: optional(text()),
  /** The process of that claim; null if no other process could take over. */
  claimedBy: optional(text()),
  lastError: optional(text()),
  createdAt: instant(),
  finishedAt: optional(instant()),
})
