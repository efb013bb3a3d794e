import type { Rehearsed, RehearsalEntry } from '../rehearsal/plan.js'

/** The stored result of a rehearsal that was played. */
export type KeptRehearsal = Pick<
  Rehearsed,
  'begin' | 'end' | 'story' | 'sent' | 'asked' | 'standIns'
> & {
  /** The events in order, with their times. */
  entries: readonly RehearsalEntry[]
  /** Entries that are not kept. */
  left: number
}
