import { earlier, later, type Instant } from '#foundation/core/clock'
import { MINUTE, SECOND } from '#foundation/core/durations'
import type { SeenRollout, SeenVersion } from '../derive/seen.js'
import { attemptAt, WAITS_FOR_REVIEW, type DecisionContext } from './attempts.js'
import {
  arrivesBy,
  growthOnItsWay,
  isProof,
  isProofOf,
  lastCallOf,
  leadsTo,
  provesFrom,
} from './calls.js'
import type { StoreCall, StoreRecord, VersionRecord, WantedRollout } from './record.js'
import {
  canGoOut,
  isOut,
  isOver,
  isReached,
  isReleased,
  isStopped,
  reviewBeside,
  stops,
} from './states.js'
import { callStep, MAX_PENDING, SEND_FOR_REVIEW, type Step } from './step.js'

/**
 * The oldest read that an increase may be based on, in milliseconds. It begins after the decision.
 */
const FRESH = 2 * MINUTE

/**
 * The shortest time between two stops, if the store applied the first one and still goes on, in
 * milliseconds.
 */
const STOPPED_AGAIN = 20 * SECOND

/** Returns the next step of the decision about a version's rollout. Pure. */
export function rolloutStep(
  record: StoreRecord,
  version: VersionRecord,
  rollout: WantedRollout,
  now: Instant
): Step {
  const { known } = version
  if (known !== null && isOver(known.state) && !stops(rollout.to)) {
    return { kind: 'asking', message: `${version.version} is ${known.raw} in the store.` }
  }
  const own = lastCallOf(record, version, deciding(rollout))
  const isSent = own?.outcome?.kind === 'applied' && isProof(record, version)
  if (isSent && known?.waitsForSending) return SEND_FOR_REVIEW
  return stops(rollout.to)
    ? stopStep(record, version, rollout, now)
    : growthStep(record, version, rollout, now)
}

/**
 * Sends a stop unless an observation that began after the decision shows it, and none of our calls
 * that let the version grow can still take effect.
 */
function stopStep(
  record: StoreRecord,
  version: VersionRecord,
  rollout: WantedRollout,
  now: Instant
): Step {
  const { known } = version
  const growing = growthOnItsWay(record, version.version, now)
  const growthEnds = growing.map((each) => later(arrivesBy(record, each), 1)).sort()
  const isServed = known !== null && isOut(known.state)
  if (!isServed || isOver(known.state)) {
    if (growthEnds.length > 0) {
      return {
        kind: 'waiting',
        until: growthEnds.at(-1)!,
        reason: 'A release may still be on its way.',
      }
    }
    if (!isServed && canGoOut(version)) {
      return { kind: 'blocked', reason: 'It is stopped as soon as it goes out.' }
    }
    // It may have been released or served again since the last read.
    if (isProofOf(record, version, rollout.at, null)) return { kind: 'fulfilled' }
    return { kind: 'poll', from: nextReadFor(record, version, rollout), reason: null }
  }
  if (record.type === 'apple' && (known.rollout?.state ?? 'complete') === 'complete') {
    const message = `The rollout of ${version.version} is over (${known.raw}): the store can no longer stop it. Ship a hotfix, or remove it from sale.`
    return { kind: 'asking', message }
  }
  const isStoppedThere = known.rollout !== null && isReached(rollout.to, known.rollout)
  if (!isStoppedThere) return sendStop(record, version, rollout, known, now)
  if (growthEnds.length > 0) {
    const reason =
      'It is stopped. A call to grow it may still arrive; the service waits until none can.'
    return { kind: 'waiting', until: growthEnds.at(-1)!, reason }
  }
  const own = lastCallOf(record, version, deciding(rollout))
  if (isProofOf(record, version, rollout.at, own)) return { kind: 'fulfilled' }
  const poll: Step = { kind: 'poll', from: nextReadFor(record, version, rollout), reason: null }
  // It was stopped before, so a read tells whether it still is. If that read fails or shows
  // something else that may be older, a stop is sent, which restarts no review.
  if (own?.outcome?.kind === 'applied' || !isReadInVain(record, known, rollout)) return poll
  const step = sendStop(record, version, rollout, known, now)
  return step.kind === 'call' || step.kind === 'waiting' ? step : poll
}

/** Returns whether a read after a decision failed, or did not show what was known before. */
const isReadInVain = (
  { polledAt, pollFailure }: StoreRecord,
  known: SeenVersion,
  { at }: WantedRollout
) => (pollFailure !== null && pollFailure.at > at) || (known.at <= at && (polledAt ?? at) > at)

/** Returns the earliest start of the next useful read for a stop. */
function nextReadFor(
  record: StoreRecord,
  { version, known }: VersionRecord,
  { at }: WantedRollout
): Instant {
  const { polledAt, lagSeconds } = record
  const isRead = (known !== null && known.at > at) || (polledAt !== null && polledAt > at)
  if (!isRead) return later(at, 1)
  const from = provesFrom(record, version)
  const after = later(at, lagSeconds * SECOND + 1)
  return from !== null && from > after ? from : after
}

/** Sends a stop, and repeats it if the store applied it but certainly still goes on. */
function sendStop(
  record: StoreRecord,
  version: VersionRecord,
  rollout: WantedRollout,
  known: SeenVersion,
  now: Instant
): Step {
  const attempt = attemptAt(record, deciding(rollout), callOf(version, rollout, known), now)
  const isUndone = attempt.kind === 'applied' && isProof(record, version)
  if (isUndone && later(attempt.call.endedAt!, STOPPED_AGAIN) <= now) {
    return { kind: 'call', attempt: attempt.again }
  }
  const step = send(record, version, rollout, known, now)
  if (step.kind !== 'failed') return step
  const message = `${version.version} could not be stopped: ${step.reason}. Stop it in the console of the store, or ship a hotfix.`
  return { kind: 'asking', message }
}

function growthStep(
  record: StoreRecord,
  version: VersionRecord,
  rollout: WantedRollout,
  now: Instant
): Step {
  const { known } = version
  const { to, saw } = rollout
  const is = known?.rollout ?? null
  if (known === null || is === null || !isReleased(known.state)) {
    return {
      kind: 'asking',
      message: `No rollout of ${version.version} is under way in the store.`,
    }
  }
  const own = lastCallOf(record, version, deciding(rollout))
  if (isReached(to, is)) {
    if (isProofOf(record, version, rollout.at, own)) return { kind: 'fulfilled' }
    // Reads lag: a resume that the store seems to show already is checked by a later read. So is
    // the answer to a call of an earlier decision.
    const isShownBefore = saw !== null && isReached(to, { ...is, state: saw.state as never })
    if (own === null && (isShownBefore || known.ofCall !== null)) {
      const after = later(rollout.at, record.lagSeconds * SECOND + 1)
      return { kind: 'poll', from: after, reason: null }
    }
  }
  const isApplied = own?.outcome?.kind === 'applied'
  // A change by our own earlier call, or by the days of a phased release, does not contradict the
  // decision.
  const isByOthers =
    known.ofCall === null &&
    known.at > rollout.at &&
    is.day === null &&
    !mayBeOurs(record, version, is)
  const hasChanged = saw !== null && (is.state !== saw.state || is.percentage !== saw.percentage)
  const isFurther = to.action === 'set' && !isStopped(is) && is.percentage > to.percentage
  if (!isReached(to, is) && isByOthers && (isFurther || hasChanged)) {
    if (isApplied && !isProof(record, version)) {
      return { kind: 'poll', from: provesFrom(record, version.version) ?? now, reason: null }
    }
    const goal = to.action === 'set' ? `set to ${to.percentage} %` : DONE[to.action]
    const message = `The rollout of ${version.version} is ${is.state} at ${is.percentage} % in the store. The decision to have it ${goal} was made when it was ${saw?.state ?? 'unknown'} at ${saw?.percentage ?? 0} %.`
    return { kind: 'asking', message }
  }
  if (isApplied) {
    if (isProof(record, version) && later(own.endedAt!, MAX_PENDING) < now) {
      return {
        kind: 'failed',
        reason: `The store accepted the call, and an hour later shows ${is.raw} at ${is.percentage} %.`,
      }
    }
    return { kind: 'poll', from: provesFrom(record, version.version) ?? now, reason: null }
  }
  if (reviewBeside(record, version.version)) {
    return { kind: 'blocked', reason: WAITS_FOR_REVIEW[record.type] }
  }
  const { polledAt } = record
  if (polledAt === null || polledAt <= rollout.at || later(polledAt, FRESH) < now) {
    return { kind: 'poll', from: earlier(now, 1), reason: null }
  }
  return send(record, version, rollout, known, now)
}

/** Returns whether one of our calls whose answer was lost may have led to the observed state. */
const mayBeOurs = ({ calls }: StoreRecord, { version }: VersionRecord, is: SeenRollout) =>
  calls.some(
    ({ call, outcome }) =>
      call.version === version && outcome?.kind === 'unknown' && leadsTo(call, { rollout: is })
  )

function send(
  record: StoreRecord,
  version: VersionRecord,
  rollout: WantedRollout,
  known: SeenVersion,
  now: Instant
): Step {
  return callStep(record, deciding(rollout), callOf(version, rollout, known), now)
}

const callOf = (
  { version }: VersionRecord,
  { to }: WantedRollout,
  { storeRef: ref, rollout }: SeenVersion
): StoreCall => ({
  version,
  method: 'setRollout',
  ref,
  to: to.action === 'set' ? { fraction: to.percentage / 100 } : { action: to.action },
  // A stop of a stopped rollout restarts no review.
  onReviewInProgress: stops(to) && !isStopped(rollout) ? 'replace' : 'fail',
})

const deciding = ({ generation, at, to }: WantedRollout): DecisionContext => ({
  slot: 'rollout',
  generation,
  at,
  lane: stops(to) ? 'stop' : 'usual',
})

const DONE = { pause: 'paused', resume: 'resumed', halt: 'halted', complete: 'completed' } as const
