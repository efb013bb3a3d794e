import type { Instant } from '#foundation/core/clock'
import { pruneCalls } from './calls.js'
import { observeAnswer, type Observations } from './observe.js'
import type { CallAnswer, CallOutcome, CallRecord, Lane, StoreCall, StoreRecord } from './record.js'
import type { Next } from './reconcile.js'
import { isInReview, isStopped } from './states.js'

/** Records that a call begins. The caller holds the lock of the store. */
export function beginCall(
  record: StoreRecord,
  lane: Lane,
  { call, slot, generation, attempt, idempotencyKey }: Extract<Next, { do: 'call' }>,
  { now, deadline }: { now: Instant; deadline: Instant }
): CallRecord {
  const begun: CallRecord = {
    idempotencyKey,
    generation,
    slot,
    lane,
    call,
    attempt,
    credentials: record.credentials,
    beganAt: now,
    deadline,
    endedAt: null,
    outcome: null,
  }
  const restarts = reviewsBeside(record, call)
  if (restarts.length > 0) begun.restarts = restarts
  record.calls.push(begun)
  return begun
}

/**
 * Records the outcome of a call. An answer with the state of the store is an observation. A call
 * that the record no longer has was repeated meanwhile, and is ignored.
 */
export function endCall(
  record: StoreRecord,
  { idempotencyKey, beganAt }: Pick<CallRecord, 'idempotencyKey' | 'beganAt'>,
  result: { answer: CallAnswer } | { outcome: CallOutcome },
  now: Instant
): Observations {
  const found = record.calls.find(
    (each) => each.idempotencyKey === idempotencyKey && each.beganAt === beganAt
  )
  const none = { shown: [], outsideChanges: [], restarted: [] }
  if (!found) return none
  found.endedAt = now
  if ('outcome' in result) {
    found.outcome = result.outcome
    keepRestarts(record, found, result.outcome.is === 'unknown')
    pruneCalls(record, now)
    return none
  }
  found.outcome = { is: 'applied' }
  // A stop that finds a stopped rollout restarts no review, unless an earlier stop whose answer was
  // lost caused it.
  const isNew = !isAlreadyStopped(result.answer) || isAfterLost(record, found)
  // A submission that waits in the console restarts nothing until a person sends it.
  keepRestarts(record, found, isNew && !result.answer.after.waitsForSending)
  const observations = observeAnswer(record, found, result.answer, now)
  pruneCalls(record, now)
  return observations
}

const isAlreadyStopped = ({ before }: CallAnswer) =>
  before !== undefined && isStopped(before.rollout)

const isAfterLost = (record: StoreRecord, call: CallRecord) => {
  const ofDecision = record.calls.filter(
    (each) =>
      each.slot === call.slot &&
      each.generation === call.generation &&
      each.call.version === call.call.version
  )
  // A read may have shown the lost call's effect, and recorded the restart already.
  const isReported = ofDecision.some(({ restarts }) => restarts?.length === 0)
  return !isReported && ofDecision.some(({ outcome }) => outcome?.is === 'unknown')
}

/**
 * Returns versions in review that Google Play sends for review again because of this call's commit.
 * Their reviews may have ended since they were last seen, so a restart is recorded only when a read
 * after the commit shows a review under way.
 */
function reviewsBeside({ type, versions }: StoreRecord, call: StoreCall): string[] {
  const replaces =
    call.method === 'cancelReview' ||
    (call.method === 'setRollout' && call.onReviewInProgress === 'replace')
  if (type !== 'google' || !replaces) return []
  return versions.flatMap(({ version, known }) =>
    version !== call.version && known !== null && isInReview(known.state) ? [version] : []
  )
}

/** Keeps the possible restarts only on the last attempt that may have caused them. */
function keepRestarts({ calls }: StoreRecord, made: CallRecord, isKept: boolean): void {
  if (!isKept) delete made.restarts
  if (!made.restarts) return
  for (const each of calls) {
    if (each !== made && each.call.version === made.call.version) delete each.restarts
  }
}
