import type { Instant } from '#foundation/core/clock'
import { pruneCalls } from './calls.js'
import { observeAnswer, type Observations } from './observe.js'
import type { CallAnswer, CallOutcome, CallRecord, Lane, StoreCall, StoreRecord } from './record.js'
import type { Next } from './reconcile.js'
import { isInReview, isStopped } from './states.js'

/** Records the start of a call. The caller holds the lock of the store. */
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
 * Records the outcome of a call. A response with the state of the store is an observation. A call
 * that is no longer in the record has been retried, and is ignored.
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
    keepRestarts(record, found, result.outcome.kind === 'unknown')
    pruneCalls(record, now)
    return none
  }
  found.outcome = { kind: 'applied' }
  // A stop of an already stopped rollout restarts no review, unless an earlier stop whose response
  // was lost had stopped it.
  const isNew = !isAlreadyStopped(result.answer) || followsLostStop(record, found)
  // A submission that waits in the console restarts nothing until a person sends it.
  keepRestarts(record, found, isNew && !result.answer.after.waitsForSending)
  const observations = observeAnswer(record, found, result.answer, now)
  pruneCalls(record, now)
  return observations
}

const isAlreadyStopped = ({ before }: CallAnswer) =>
  before !== undefined && isStopped(before.rollout)

const followsLostStop = (record: StoreRecord, call: CallRecord) => {
  const ofDecision = record.calls.filter(
    (each) =>
      each.slot === call.slot &&
      each.generation === call.generation &&
      each.call.version === call.call.version
  )
  // A read may have shown the effect of the lost call, and recorded the restart.
  const isReported = ofDecision.some(({ restarts }) => restarts?.length === 0)
  return !isReported && ofDecision.some(({ outcome }) => outcome?.kind === 'unknown')
}

/**
 * Returns the versions in review that Google Play sends for review again when it commits this call.
 * Their reviews may have ended since the last read, so a restart is recorded only when a read after
 * the commit shows a review under way.
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

/** Removes possible restarts from all attempts but the last that may have caused them. */
function keepRestarts({ calls }: StoreRecord, last: CallRecord, isKept: boolean): void {
  if (!isKept) delete last.restarts
  if (!last.restarts) return
  for (const each of calls) {
    if (each !== last && each.call.version === last.call.version) delete each.restarts
  }
}
