import { later, type Instant } from '#foundation/core/clock'
import { HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
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
import { fingerprintOf, markOf, REVIEW_IN_PROGRESS } from './states.js'

/** Waits between attempts at a call that failed in passing, in milliseconds. */
const STEPS = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]

/** The same for what stops a rollout, which is never given up. */
const STOP_STEPS = [20 * SECOND, 20 * SECOND, 20 * SECOND, MINUTE, 2 * MINUTE]

/** Failures that are over by themselves, sooner or later. */
const PASSING = new Set<ProviderErrorCode | 'unusable'>([
  'rateLimited',
  'quotaExhausted',
  'timeout',
  'unavailable',
  'protocol',
])

/** Refusals that new credentials end, and nothing else. */
const BY_CREDENTIALS = new Set<ProviderErrorCode | 'unusable'>([
  'unauthorized',
  'forbidden',
  'unusable',
])

/** Refusals that another state of the store may end; all others say that the call is wrong. */
const BY_STATE = new Set<ProviderErrorCode | 'unusable'>([
  'conflict',
  'preconditionFailed',
  'notFound',
  ...BY_CREDENTIALS,
])

/** A call whose time has come. */
export interface Due {
  is: 'due'
  call: StoreCall
  attempt: number
  idempotencyKey: string
}

/** The decision about a call that is due: whether it may be made. */
export type Attempt =
  | Due
  | { is: 'waiting'; until: Instant; reason: string | null }
  /** A read that begins after the last attempt says whether it was applied. */
  | { is: 'unread'; from: Instant; reason: string | null }
  | { is: 'refused'; reason: string; isReview: boolean; isFinal: boolean; isAway: boolean }
  | { is: 'applied'; call: CallRecord; again: Due }

export interface Deciding {
  slot: Slot
  generation: number
  lane: 'usual' | 'stop'
  /** The time of the decision. */
  at: Instant
}

/** The next attempt at a call, by what came of those before it for the same decision. Pure. */
export function attemptAt(
  record: StoreRecord,
  decision: Deciding,
  call: StoreCall,
  now: Instant
): Attempt {
  const last = lastCallOf(record, call, decision, call.method)
  const key = `${decision.generation} ${call.version} ${call.method}`
  const spared = sparedUntil(record, decision, now)
  if (spared !== null)
    return { is: 'waiting', until: spared, reason: 'The store asks to be spared.' }
  const due = (attempt: number): Due => ({
    is: 'due',
    call,
    attempt,
    idempotencyKey: `${key} ${attempt}`,
  })
  if (last === null) {
    const carried = refusedSince(record, decision, call)
    return carried ? afterRefusal(record, carried, due(1), now) : due(1)
  }
  const isSame = JSON.stringify(last.call) === JSON.stringify(call)
  const again = due(last.attempt + 1)
  if (last.outcome === null) {
    // The process that made it may be gone.
    if (now <= last.deadline) {
      return { is: 'waiting', until: later(last.deadline, 1), reason: null }
    }
    return repeated(record, decision, last, isSame ? last.idempotencyKey : null, again)
  }
  switch (last.outcome.is) {
    case 'applied':
      return isSame ? { is: 'applied', call: last, again } : again
    case 'unknown': {
      const until = later(last.endedAt!, waitOf(decision, last.attempt) ?? HOUR)
      if (now < until) return { is: 'waiting', until, reason: answerInWords(last.outcome) }
      return repeated(record, decision, last, isSame ? last.idempotencyKey : null, again)
    }
    case 'refused':
      return isSame ? afterRefusal(record, last.outcome, again, now) : again
  }
}

/** The refusal of the same call for an earlier decision that came after this one was made. */
function refusedSince({ calls }: StoreRecord, { at }: Deciding, call: StoreCall) {
  const text = JSON.stringify(call)
  const found = calls.findLast(
    ({ call: other, endedAt }) => (endedAt ?? '') >= at && JSON.stringify(other) === text
  )
  return found?.outcome?.is === 'refused' ? found.outcome : null
}

/**
 * A call that nobody knows the outcome of is read for before it is repeated, once what is read
 * cannot be older than it; a stop is not.
 */
function repeated(
  record: StoreRecord,
  { lane }: Deciding,
  last: CallRecord,
  sameKey: string | null,
  again: Due
): Attempt {
  const since = arrivesBy(record, last)
  if (lane === 'usual' && (record.polledAt === null || record.polledAt <= since)) {
    return { is: 'unread', from: later(since, 1), reason: null }
  }
  return { ...again, idempotencyKey: sameKey ?? again.idempotencyKey }
}

function afterRefusal(
  record: StoreRecord,
  outcome: Extract<CallOutcome, { is: 'refused' }>,
  again: Due,
  now: Instant
): Attempt {
  const { code, retryAt } = outcome
  const message = answerInWords(outcome)
  if (retryAt !== null) {
    return now < retryAt ? { is: 'waiting', until: retryAt, reason: message } : again
  }
  const isFinal = !BY_STATE.has(code)
  const isReview = outcome.reason === REVIEW_IN_PROGRESS
  const isRefusedThem = BY_CREDENTIALS.has(code)
  if (isRefusedThem && hasOtherCredentials(record, outcome.fingerprint)) return again
  const only = again.call.method === 'setRollout' && !isReview ? again.call.version : null
  if (!isFinal && !isRefusedThem && isOther(record, outcome.fingerprint, only)) return again
  return { is: 'refused', reason: message, isReview, isFinal, isAway: PASSING.has(code) }
}

/**
 * Returns whether the store certainly shows something else than before.
 * @param only the version that matters; null for any
 */
const isOther = (record: StoreRecord, before: readonly string[], only: string | null) =>
  record.versions.some(
    (each) =>
      (only === null || each.version === only) &&
      !before.includes(markOf(each)) &&
      isProof(record, each)
  )

const hasOtherCredentials = (record: StoreRecord, before: readonly string[]) =>
  !before.includes(fingerprintOf(record)[0])

/** Counts a read that failed, with the credentials that it began with. */
export function pollFailed(
  record: StoreRecord,
  { code, message, credentials }: Pick<PollFailure, 'code' | 'message' | 'credentials'>,
  at: Instant
): void {
  const times = (record.pollFailure?.times ?? 0) + 1
  record.pollFailure = { at, times, code, message: message.slice(0, 500), credentials }
}

/** The earliest time of the next read after reads that failed. New credentials are tried at once. */
export function pollsAgainFrom(
  { at, times, ...failure }: PollFailure,
  record: StoreRecord,
  lane: Lane
) {
  if (failure.credentials !== record.credentials) return at
  return later(at, waitOf({ lane }, times) ?? HOUR)
}

/**
 * Returns whether reads have failed for so long, or for such a reason, that people are informed.
 */
export const isUnreadable = ({ code, times, credentials }: PollFailure, record: StoreRecord) =>
  credentials === record.credentials && (BY_CREDENTIALS.has(code) || times > STEPS.length)

/** Returns whether a failure of reads says that the store was away, and not that it refuses. */
export const wasAway = ({ code }: PollFailure) => PASSING.has(code)

/** Returns when a rate-limited store accepts a call of a lane again; null for now. */
function sparedUntil({ calls }: StoreRecord, { lane }: Deciding, now: Instant): Instant | null {
  const times = calls.flatMap(({ lane: other, outcome }) => {
    if (other !== lane || outcome?.is !== 'refused' || outcome.retryAt === null) return []
    const isSpared = outcome.code === 'rateLimited' || outcome.code === 'quotaExhausted'
    return isSpared && outcome.retryAt > now ? [outcome.retryAt] : []
  })
  return times.sort().at(-1) ?? null
}

/** The wait after an attempt that failed in passing; null if it was the last. */
function waitOf({ lane }: Pick<Deciding, 'lane'>, attempt: number): number | null {
  if (lane === 'stop') return STOP_STEPS[Math.min(attempt, STOP_STEPS.length) - 1]
  return STEPS[attempt - 1] ?? null
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
  // A prepared version takes longer to appear than anybody waits: new objects are not visible
  // everywhere in a store at once.
  const isMade = code === 'notFound' && call.method === 'submit'
  const isPassing = PASSING.has(code) || reason === 'preparing' || isMade
  const wait = isPassing ? waitOf({ lane }, attempt) : null
  const retryAt = wait === null ? null : later(now, Math.max(wait, retryAfterMs))
  const message = error.message.slice(0, 500)
  const fingerprint = fingerprintOf({ ...record, credentials })
  return { is: 'refused', code, reason, message, retryAt, fingerprint }
}
