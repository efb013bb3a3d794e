import { isRead } from '../answer_error.js'
import type { ProviderErrorCode, ProviderErrorDetail } from '../provider_error.js'

/** Maximum duration of a call with all of its attempts and waits, in milliseconds. */
export const TOTAL_MS = 60_000

const FIRST_STEP_MS = 500
const MAX_STEP_MS = 10_000

/** Transient errors: a provider that is away, late or busy. */
const PASSING: readonly ProviderErrorCode[] = ['unavailable', 'timeout', 'rateLimited']

/** Returns whether a request may be sent again even if it may have been applied. */
export const mayRepeat = (
  method: string,
  { idempotent, isQuery }: { idempotent?: boolean; isQuery?: boolean }
): boolean => isRead(method) || idempotent === true || isQuery === true

/** One failed attempt. */
export interface Failure {
  code: ProviderErrorCode
  outcome: ProviderErrorDetail['outcome']
  /** False if no connection was made, so that the host has not seen the request. */
  wasConnected: boolean
  retryAfterMs?: number
}

export interface Attempted {
  /** From 1. */
  attempt: number
  maxAttempts: number
  /** A read, or marked as idempotent, with a body that can be sent again. */
  isRepeatable: boolean
  /** Milliseconds since the call began. */
  elapsedMs: number
  /** From 0 (included) to 1 (excluded). */
  random: () => number
}

/**
 * Returns the milliseconds until the next attempt; null if there is none. A request that may have
 * been applied is retried only if it is repeatable. The backoff is exponential with full jitter,
 * and never shorter than the provider asks for.
 */
export function retryWaitOf(failure: Failure, attempted: Attempted): number | null {
  const { attempt, maxAttempts, isRepeatable, elapsedMs, random } = attempted
  if (attempt >= maxAttempts || !PASSING.includes(failure.code)) return null
  if (!isRepeatable && failure.wasConnected) return null
  const step = Math.min(FIRST_STEP_MS * 2 ** (attempt - 1), MAX_STEP_MS)
  const wait = Math.max(Math.floor(random() * step), failure.retryAfterMs ?? 0)
  return elapsedMs + wait < TOTAL_MS ? wait : null
}
