import type { Rehearsed, RehearsalEntry } from '../rehearsal/plan.js'

/** What is kept of a rehearsal that was played. */
export type KeptRehearsal = Pick<
  Rehearsed,
  'begin' | 'end' | 'story' | 'sent' | 'asked' | 'standIns'
> & {
  /** What happened when, in order. */
  entries: readonly RehearsalEntry[]
  /** Entries that are not kept. */
  left: number
}
