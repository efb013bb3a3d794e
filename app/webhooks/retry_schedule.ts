import { DateTime } from 'luxon'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'

/** The waits before each of the ten attempts, from the previous failure on, in milliseconds. */
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

/** The longest timeout that an endpoint can have. */
export const MAX_TIMEOUT_SECONDS = 30

/** The largest share of a wait that jitter adds; it never shortens a wait. */
const MAX_JITTER = 0.1

/** The minimum wait for an overloaded or unreachable receiver. */
const OVERLOAD_FLOOR = MINUTE

/** A `Retry-After` of up to this long is always respected, however short the step is. */
const RETRY_AFTER_REACH = HOUR

/** The waits between probes of a degraded endpoint; the last one repeats. */
export const PROBE_STEPS: readonly number[] = [5, 10, 20, 40, 60].map((minutes) => minutes * MINUTE)

/** The time for which a failing event blocks later events of the same entity. */
export const ORDER_PATIENCE = 5 * MINUTE

const OVERLOADED = new Set([429, 502, 503, 504])

/** A number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** The properties of a failed attempt that affect the next one. */
export interface Failure {
  /** The status of the answer; absent if there was none. */
  status?: number
  timedOut: boolean
  /** The wait that the receiver asked for, in milliseconds; see `readRetryAfter`. */
  retryAfter?: number
}

/**
 * Returns the milliseconds from the failure of attempt number `made` (from 1) to the next attempt;
 * null if it was the last (docs/explanation/webhooks.md, When it fails).
 */
export function retryWait(made: number, failure: Failure, random: Random): number | null {
  if (made >= MAX_ATTEMPTS) return null
  return waitFrom(RETRY_STEPS[made], failure, random)
}

/** Returns the milliseconds from the failure of probe number `made` (from 1) to the next probe. */
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
 * Returns the milliseconds that a `Retry-After` header asks for at `now` (milliseconds since the
 * epoch). The header is a number of seconds or an HTTP date; undefined if it is neither, 0 for a past
 * date.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const date = DateTime.fromHTTP(text)
  return date.isValid ? Math.max(0, date.toMillis() - now) : undefined
}
