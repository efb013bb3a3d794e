import { DAY, HOUR, MINUTE } from '#foundation/core/durations'
import { chance } from '#simulated-providers/chance'

/** Hours of the day, in UTC, between which people work, from Monday to Friday. */
const OPENS = 8
const CLOSES = 17

/** Shortest and longest time that people take for a task. */
const MIN_TASK_TIME = 15 * MINUTE
const MAX_TASK_TIME = 3 * HOUR

/**
 * Returns the first instant at or after another at which people work, in milliseconds since the
 * epoch.
 */
export function atWork(at: number): number {
  const day = Math.floor(at / DAY) * DAY
  const weekday = new Date(day).getUTCDay()
  const isFree = weekday === 0 || weekday === 6 || at >= day + CLOSES * HOUR
  if (isFree) return atWork(day + DAY)
  return Math.max(at, day + OPENS * HOUR)
}

/** Returns when people complete a task that came up at an instant, by the seed. */
export function doneAt(seed: string, since: number, what: string): number {
  const takes = MIN_TASK_TIME + (MAX_TASK_TIME - MIN_TASK_TIME) * chance(seed, 'people take', what)
  const begun = atWork(since)
  const closing = Math.floor(begun / DAY) * DAY + CLOSES * HOUR
  const done = begun + Math.round(takes / MINUTE) * MINUTE
  // Work that is unfinished in the evening continues on the next working day.
  return done <= closing ? done : atWork(closing) + (done - closing)
}
