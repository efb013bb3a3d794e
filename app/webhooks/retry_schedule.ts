import { DateTime } from 'luxon'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'

/** Milliseconds before each of the ten attempts, from the failure of the one before it. */
export const RETRY_STEPS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

export const MAX_ATTEMPTS = RETRY_STEPS.length

/** The longest that an endpoint may let an attempt take. */
export const LONGEST_TIMEOUT_SECONDS = 30

/** The largest share of a wait that chance may add to it; it never takes any away. */
const MAX_JITTER = 0.1

/** Minimum delay for an overloaded or absent receiver. */
const OVERLOAD_FLOOR = MINUTE

/** Longest `Retry-After` that is always respected, however short the step is. */
const RETRY_AFTER_REACH = HOUR

/** Waits between the probes of a degraded endpoint; the last one repeats. */
export const PROBE_STEPS: readonly number[] = [5, 10, 20, 40, 60].map((minutes) => minutes * MINUTE)

/** The time for which a failing event holds up later events of the same entity. */
export const ORDER_PATIENCE = 5 * MINUTE

const OVERLOADED = new Set([429, 502, 503, 504])

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** The failure of an attempt, as far as the next one depends on it. */
export interface Failure {
  /** The status of the answer, absent when there was none. */
  status?: number
  timedOut: boolean
  /** Milliseconds the receiver asked for, see `readRetryAfter`. */
  retryAfter?: number
}

/**
 * Milliseconds from the failure of attempt `made` (1 is the first) to the next
 * one, or null when that was the last (docs/explanation/webhooks.md, When it fails).
 */
export function retryWait(made: number, failure: Failure, random: Random): number | null {
  if (made >= MAX_ATTEMPTS) return null
  return waitFrom(RETRY_STEPS[made], failure, random)
}

/** Milliseconds from the failure of probe `made` (1 is the first) of a degraded endpoint to the next. */
export function probeWait(made: number, failure: Failure, random: Random): number {
  const step = PROBE_STEPS[Math.min(Math.max(made, 1), PROBE_STEPS.length) - 1]
  return waitFrom(step, failure, random)
}

function waitFrom(step: number, failure: Failure, random: Random): number {
  const overloaded = failure.timedOut || OVERLOADED.has(failure.status ?? 0)
  const least = overloaded ? Math.max(step, OVERLOAD_FLOOR) : step
  const jittered = (wait: number) => Math.floor(wait * (1 + MAX_JITTER * random()))
  if (failure.retryAfter === undefined) return jittered(least)
  const most = Math.max(2 * step, RETRY_AFTER_REACH)
  const requested = Math.min(Math.max(failure.retryAfter, least), most)
  return Math.min(jittered(requested), most)
}

/**
 * Milliseconds that a `Retry-After` header asks for at `now` (milliseconds since
 * the epoch): a number of seconds or an HTTP date. Undefined when it is neither;
 * 0 for a date that has passed.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = DateTime.fromHTTP(text)
  return date.isValid ? Math.max(0, date.toMillis() - now) : undefined
}
