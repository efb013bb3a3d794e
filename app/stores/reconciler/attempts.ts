import { later, type Instant } from '#foundation/core/clock'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import { isMomentary } from '#integrations/outcome_of_call'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import type { StoreType } from '../vocabulary.js'
import { answerInWords } from './answer_words.js'
import { arrivesBy, isProof, lastCallOf } from './calls.js'
import type {
  CallOutcome,
  CallRecord,
  Lane,
  PollFailure,
  Slot,
  StoreCall,
  StoreRecord,
} from './record.js'
import { fingerprintOf, markOf, REVIEW_IN_PROGRESS, reviewBeside } from './states.js'

/** Waits before each retry of a call after a transient failure, in milliseconds. */
const RETRY_WAITS = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]

/**
 * Waits before each retry of a stop, in milliseconds. The last one repeats: a stop is retried until
 * it succeeds.
 */
const STOP_RETRY_WAITS = [20 * SECOND, 20 * SECOND, 20 * SECOND, MINUTE, 2 * MINUTE]

/**
 * Wait for the end of a review that no observed version explains, in milliseconds. The review may
 * be of texts, or of a version that was withdrawn before a read showed it.
 */
const UNLISTED_REVIEW = HOUR

/**
 * Wait before a stop is repeated that the credentials may not make, in milliseconds: their rights,
 * or an agreement, may have been mended at the store.
 */
const FORBIDDEN_STOP = HOUR

/** The message while the store's review of something else blocks the call. */
export const WAITS_FOR_REVIEW: Readonly<Record<StoreType, string>> = {
  apple:
    'App Store Connect has not finished a review of the app yet. It accepts the change once that review is over.',
  google:
    'Google Play is reviewing other changes of the app. It accepts no others until that review ends.',
}

/** Transient failures. */
const TRANSIENT = new Set<ProviderErrorCode | 'unusable'>([
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unavailable',
  'protocol',
])

/** Refusals that only new credentials resolve. */
const UNTIL_NEW_CREDENTIALS = new Set<ProviderErrorCode | 'unusable'>([
  'unauthorized',
  'forbidden',
  'unusable',
])

/**
 * Refusals that a change of the store may resolve; any other means that the call itself is wrong.
 */
const UNTIL_OTHER_STATE = new Set<ProviderErrorCode | 'unusable'>([
  'conflict',
  'preconditionFailed',
  'notFound',
  ...UNTIL_NEW_CREDENTIALS,
])

/** A call that may be made now. */
export interface Due {
  kind: 'due'
  call: StoreCall
  attempt: number
  idempotencyKey: string
}

/** The state of the next attempt at a call. */
export type Attempt =
  | Due
  | { kind: 'waiting'; until: Instant; reason: string | null }
  /** Only a read that begins at or after `from` shows whether the last attempt was applied. */
  | { kind: 'unread'; from: Instant; reason: string | null }
  | { kind: 'refused'; reason: string; isReview: boolean; isFinal: boolean; isAway: boolean }
  | { kind: 'applied'; call: CallRecord; again: Due }

export interface DecisionContext {
  slot: Slot
  generation: number
  lane: 'usual' | 'stop'
  /** The time of the decision. */
  at: Instant
}

/** Returns the next attempt at a call, given the previous ones for the same decision. */
export function attemptAt(
  record: StoreRecord,
  decision: DecisionContext,
  call: StoreCall,
  now: Instant
): Attempt {
  const last = lastCallOf(record, call, decision, call.method)
  const key = `${decision.generation} ${call.version} ${call.method}`
  const rateLimitedUntil = rateLimitEnd(record, decision, now)
  if (rateLimitedUntil !== null)
    return { kind: 'waiting', until: rateLimitedUntil, reason: 'The store asked for fewer calls.' }
  const due = (attempt: number): Due => ({
    kind: 'due',
    call,
    attempt,
    idempotencyKey: `${key} ${attempt}`,
  })
  if (last === null) {
    const earlier = refusedSince(record, decision, call)
    return earlier ? afterRefusal(record, decision, earlier, due(1), now) : due(1)
  }
  const isSame = JSON.stringify(last.call) === JSON.stringify(call)
  const again = due(last.attempt + 1)
  if (last.outcome === null) {
    // The process that made the call may have died.
    if (now <= last.deadline) {
      return { kind: 'waiting', until: later(last.deadline, 1), reason: null }
    }
    return retryUnknown(record, decision, last, isSame ? last.idempotencyKey : null, again)
  }
  if (isRefused(last)) return isSame ? afterRefusal(record, decision, last, again, now) : again
  if (last.outcome.kind === 'applied')
    return isSame ? { kind: 'applied', call: last, again } : again
  const until = later(last.endedAt!, waitOf(decision, last.attempt) ?? HOUR)
  if (now < until) return { kind: 'waiting', until, reason: answerInWords(last.outcome) }
  return retryUnknown(record, decision, last, isSame ? last.idempotencyKey : null, again)
}

/** Returns an identical call of another decision that was refused after this decision. */
function refusedSince({ calls }: StoreRecord, { at }: DecisionContext, call: StoreCall) {
  const text = JSON.stringify(call)
  const found = calls.findLast(
    ({ call: other, endedAt }) => (endedAt ?? '') >= at && JSON.stringify(other) === text
  )
  return found && isRefused(found) ? found : null
}

type Refused = CallRecord & { outcome: Extract<CallOutcome, { kind: 'refused' }> }

const isRefused = (call: CallRecord): call is Refused => call.outcome?.kind === 'refused'

/**
 * Returns the retry of a call with an unknown outcome. In the usual lane, a read must first show
 * that the call was not applied; stops are retried without a read.
 */
function retryUnknown(
  record: StoreRecord,
  { lane }: DecisionContext,
  last: CallRecord,
  reusedKey: string | null,
  again: Due
): Attempt {
  const since = arrivesBy(record, last)
  if (lane === 'usual' && (record.polledAt === null || record.polledAt <= since)) {
    return { kind: 'unread', from: later(since, 1), reason: null }
  }
  return { ...again, idempotencyKey: reusedKey ?? again.idempotencyKey }
}

function afterRefusal(
  record: StoreRecord,
  { lane }: DecisionContext,
  { outcome, endedAt }: Refused,
  again: Due,
  now: Instant
): Attempt {
  const { code, retryAt } = outcome
  const message = answerInWords(outcome)
  if (retryAt !== null) {
    return now < retryAt ? { kind: 'waiting', until: retryAt, reason: message } : again
  }
  const isFinal = !UNTIL_OTHER_STATE.has(code)
  const isReview = outcome.reason === REVIEW_IN_PROGRESS
  const isCredentialsRefused = UNTIL_NEW_CREDENTIALS.has(code)
  if (isCredentialsRefused && hasOtherCredentials(record, outcome.fingerprint)) return again
  const isForbiddenStop = code === 'forbidden' && lane === 'stop'
  if (isForbiddenStop && later(endedAt!, FORBIDDEN_STOP) <= now) return again
  const only = again.call.method === 'setRollout' && !isReview ? again.call.version : null
  if (!isFinal && !isCredentialsRefused && hasChanged(record, outcome.fingerprint, only))
    return again
  if (isReview && !isFinal && reviewBeside(record, again.call.version) === null) {
    const until = later(endedAt!, UNLISTED_REVIEW)
    return now < until ? { kind: 'waiting', until, reason: WAITS_FOR_REVIEW[record.type] } : again
  }
  return { kind: 'refused', reason: message, isReview, isFinal, isAway: TRANSIENT.has(code) }
}

/**
 * Returns whether the store has provably changed since the refusal.
 * @param only the version that matters; null for any
 */
const hasChanged = (record: StoreRecord, before: readonly string[], only: string | null) =>
  record.versions.some(
    (each) =>
      (only === null || each.version === only) &&
      !before.includes(markOf(each)) &&
      isProof(record, each)
  )

const hasOtherCredentials = (record: StoreRecord, before: readonly string[]) =>
  !before.includes(fingerprintOf(record)[0])

/** Counts a failed read, and stores the credentials that it used. */
export function pollFailed(
  record: StoreRecord,
  { code, message, credentials }: Pick<PollFailure, 'code' | 'message' | 'credentials'>,
  at: Instant
): void {
  const times = (record.pollFailure?.times ?? 0) + 1
  record.pollFailure = { at, times, code, message: message.slice(0, 500), credentials }
}

/**
 * Returns the earliest time of the next read after failed reads. New credentials are used at once.
 */
export function nextPollAfterFailure(
  { at, times, ...failure }: PollFailure,
  record: StoreRecord,
  lane: Lane
) {
  if (failure.credentials !== record.credentials) return at
  return later(at, waitOf({ lane }, times) ?? HOUR)
}

/**
 * Returns whether people must be notified of failed reads: there were too many, or the credentials
 * were refused.
 */
export const mustReportFailure = ({ code, times, credentials }: PollFailure, record: StoreRecord) =>
  credentials === record.credentials &&
  (UNTIL_NEW_CREDENTIALS.has(code) || times > RETRY_WAITS.length)

/** Returns whether a read failed because the store was unavailable; it refused nothing. */
export const wasUnavailable = ({ code }: PollFailure) => TRANSIENT.has(code)

/** Returns when the rate limit for a lane ends; null if there is none. */
function rateLimitEnd(
  { calls }: StoreRecord,
  { lane }: DecisionContext,
  now: Instant
): Instant | null {
  const times = calls.flatMap(({ lane: other, outcome }) => {
    if (other !== lane || outcome?.kind !== 'refused' || outcome.retryAt === null) return []
    const isRateLimit = outcome.code === 'rateLimited' || outcome.code === 'quotaExhausted'
    return isRateLimit && outcome.retryAt > now ? [outcome.retryAt] : []
  })
  return times.sort().at(-1) ?? null
}

/**
 * Returns the wait in milliseconds after an attempt with a transient failure; null if it was the
 * last attempt.
 */
function waitOf({ lane }: Pick<DecisionContext, 'lane'>, attempt: number): number | null {
  if (lane === 'stop') return STOP_RETRY_WAITS[Math.min(attempt, STOP_RETRY_WAITS.length) - 1]
  return RETRY_WAITS[attempt - 1] ?? null
}

/**
 * Returns what a refusal means for the next attempt.
 * @param error code, reason and message of the plugin's error
 */
export function refusalOf(
  record: StoreRecord,
  {
    lane,
    attempt,
    call,
    credentials,
  }: Pick<CallRecord, 'lane' | 'attempt' | 'call' | 'credentials'>,
  error: {
    code: ProviderErrorCode | 'unusable'
    reason?: string
    message: string
    retryAfterMs?: number
  },
  now: Instant
): CallOutcome {
  const { code, reason = null, retryAfterMs = 0 } = error
  // A new version may not be visible everywhere in the store yet, so `notFound` is transient.
  const isJustPrepared = code === 'notFound' && call.method === 'submit'
  const isTransient =
    TRANSIENT.has(code) ||
    reason === 'preparing' ||
    isJustPrepared ||
    isMomentary(code, retryAfterMs)
  const wait = isTransient ? waitOf({ lane }, attempt) : null
  const retryAt = wait === null ? null : later(now, Math.max(wait, retryAfterMs))
  const message = error.message.slice(0, 500)
  const fingerprint = fingerprintOf({ ...record, credentials })
  return { kind: 'refused', code, reason, message, retryAt, fingerprint }
}
