import type { ReleaseTimelinePhase } from '#releases/vocabulary'
import type { ReleaseFacts } from './facts.js'
import { isStoreApproved, isSubmitted, decidingSteps } from './readiness.js'
import { isRolledOut } from './store_step_rules.js'

/**
 * Returns whether takeoff is done: every takeoff step that counts for the release, or the release
 * date.
 */
function isLive(facts: ReleaseFacts): boolean {
  const takeoffs = decidingSteps(facts, 'takeoff')
  if (takeoffs.length === 0) return facts.releasedAt !== null
  return takeoffs.every((step) => step.facts.released)
}

function isPartlyLive(facts: ReleaseFacts): boolean {
  return (
    facts.releasedAt !== null ||
    decidingSteps(facts, 'takeoff').some((step) => step.facts.released) ||
    decidingSteps(facts, 'rollout').some((step) => step.facts.state !== null)
  )
}

/**
 * Returns whether the release has ended by its own facts: it is live, and every rollout is at 100 %
 * or has not begun. The caller then completes it automatically.
 */
export function isFinished(facts: ReleaseFacts): boolean {
  if (facts.skippedAt !== null || isRejected(facts)) return false
  const rollouts = decidingSteps(facts, 'rollout')
  return (
    isLive(facts) && rollouts.every((step) => step.facts.state === null || isRolledOut(step.facts))
  )
}

/**
 * Returns whether completing the release by hand means that it reached users. Completing replaces a
 * missing signal, so this holds for releases that were kicked off, submitted or approved. A release
 * that nobody began, or that the store rejected, is closed and not released.
 */
export function isReleasedByCompleting(facts: ReleaseFacts): boolean {
  if (isRejected(facts)) return false
  const { kickedOffAt, submittedAt, approvedAt } = facts
  const isBegun = [kickedOffAt, submittedAt, approvedAt].some((at) => at !== null)
  return isBegun || isSubmitted(facts) || isStoreApproved(facts)
}

function isRejected(facts: ReleaseFacts): boolean {
  return decidingSteps(facts, 'storeReview').some((step) => step.facts.state === 'rejected')
}

function isInReview(facts: ReleaseFacts): boolean {
  return (
    isStoreApproved(facts) ||
    decidingSteps(facts, 'storeReview').some((step) => step.facts.state === 'inReview')
  )
}

/**
 * Returns the furthest phase that the release has reached (`ReleaseTimelinePhase`). With several
 * destinations, this is the phase of the slowest required one, and `rollingOut` once the first is
 * live. A completed release is `released` if it reached users. Otherwise it keeps the phase it had.
 */
export function phaseOf(
  facts: ReleaseFacts,
  readiness: { readyToSubmit: boolean; readyToRelease: boolean }
): ReleaseTimelinePhase {
  if (facts.skippedAt !== null) return 'skipped'
  if (isFinished(facts) || (facts.completedAt !== null && facts.releasedAt !== null)) {
    return 'released'
  }
  if (isRejected(facts)) return 'rejected'
  if (isPartlyLive(facts)) return 'rollingOut'
  if (readiness.readyToRelease) return 'readyToRelease'
  if (facts.storeKind !== 'ota') {
    if (isInReview(facts)) return 'inReview'
    if (isSubmitted(facts)) return 'submitted'
  }
  if (readiness.readyToSubmit) return 'readyToSubmit'
  return facts.kickedOffAt !== null ? 'kickedOff' : 'upcoming'
}
