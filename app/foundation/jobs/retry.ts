import { HOUR, MINUTE, SECOND } from '../core/durations.js'

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** The delays between attempts. */
export interface RetryPolicy {
  /** Milliseconds from each failure to the next attempt; after the last step there is none. */
  steps: readonly number[]
}

const after = (...steps: number[]): RetryPolicy => ({ steps })

/** Retry policies, by how long the requester will wait. */
export const RETRIES = {
  /** Somebody is watching the screen: the first retries come within seconds. */
  atOnce: after(SECOND, 10 * SECOND, MINUTE),
  /** A person has asked, and learns of a failure within minutes. */
  minutes: after(10 * SECOND, MINUTE, 10 * MINUTE),
  /** A person has pressed a button in a chat, and expects the effect within minutes or not at all. */
  press: after(SECOND, 10 * SECOND, MINUTE, 4 * MINUTE),
  /** The result is worth little after an hour or so. */
  hour: after(10 * SECOND, MINUTE, 10 * MINUTE, HOUR),
  /** Nobody waits, but it must succeed in the end: a provider may be down for half a night. */
  hours: after(10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR),
  /** For observations and chores, which recur anyway. */
  ofPoll: after(MINUTE, 10 * MINUTE, HOUR),
} as const satisfies Record<string, RetryPolicy>

/** The largest share of a wait that jitter may add to it; jitter never shortens a wait. */
export const MAX_JITTER = 0.1

/**
 * Returns the milliseconds from the failure of attempt `made` (1 is the first) to the next one;
 * null if that was the last.
 * @param least minimum delay that the provider asks for, in milliseconds
 */
export function retryWait(
  { steps }: RetryPolicy,
  made: number,
  random: Random,
  least = 0
): number | null {
  if (made > steps.length) return null
  return Math.floor(Math.max(steps[Math.max(made, 1) - 1], least) * (1 + MAX_JITTER * random()))
}

/** Returns the wait of a job that is never given up: the last step repeats. */
export function lastingWait(policy: RetryPolicy, made: number, random: Random, least = 0): number {
  return retryWait(policy, Math.min(made, policy.steps.length), random, least) ?? least
}

/** Returns the milliseconds to the next poll of an observation. */
export function nextInterval(
  { least, most }: { least: number; most: number },
  last: number | null,
  hasChanged: boolean
): number {
  if (hasChanged || last === null) return least
  return Math.min(Math.max(2 * last, least), most)
}
