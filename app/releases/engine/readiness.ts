import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ReleaseFacts, StepFacts } from './facts.js'
import { isBefore } from './step_order.js'

/** Statuses of the steps of one evaluation, by step id. */
export type StepStatuses = ReadonlyMap<string, ReleaseStepStatus>

/** The archetypes of the way through a store. None of them has to be done before a submission. */
const STORE_TYPES: readonly ReleaseStepType[] = ['submission', 'storeReview', 'takeoff', 'rollout']

/** Returns the steps of an archetype that count: the required ones, or all if none is required. */
export function decidingSteps<T extends ReleaseStepType>(facts: ReleaseFacts, type: T) {
  const steps = facts.steps.filter(
    (step): step is Extract<StepFacts, { type: T }> => step.type === type
  )
  const required = steps.filter((step) => step.required)
  return required.length > 0 ? required : steps
}

/** Returns whether `step` must be done before `gate`; false if it comes after the gate. */
function precedes(step: StepFacts, gate: StepFacts): boolean {
  return step !== gate && !isBefore(gate, step)
}

/** Returns whether two steps serve the same destination. A step without one serves all. */
function serves(step: StepFacts, other: StepFacts): boolean {
  return (
    step.destinationId === null ||
    other.destinationId === null ||
    step.destinationId === other.destinationId
  )
}

/**
 * Returns the required steps that are incomplete and precede one of the gates at the same
 * destination. Without gates, every incomplete required step.
 * @param ignored archetypes that do not count
 */
function missingBefore(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  gates: readonly StepFacts[],
  ignored: readonly ReleaseStepType[]
): StepFacts[] {
  return facts.steps.filter(
    (step) =>
      step.required &&
      !ignored.includes(step.type) &&
      statuses.get(step.id) !== 'complete' &&
      (gates.length === 0 || gates.some((gate) => precedes(step, gate) && serves(step, gate)))
  )
}

/** Returns the required steps that block the submission of a release, or of one submission step. */
export function missingBeforeSubmission(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  submissionStep?: StepFacts
): StepFacts[] {
  const gates = submissionStep ? [submissionStep] : decidingSteps(facts, 'submission')
  return missingBefore(facts, statuses, gates, STORE_TYPES)
}

/**
 * Returns the required steps that block the takeoff of a release, or of one takeoff step. An OTA
 * release has no store, so its submission and review steps do not count.
 */
export function missingBeforeTakeoff(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  takeoffStep?: StepFacts
): StepFacts[] {
  const gates = takeoffStep ? [takeoffStep] : decidingSteps(facts, 'takeoff')
  const ignored: readonly ReleaseStepType[] =
    facts.storeKind === 'ota' ? STORE_TYPES : ['takeoff', 'rollout']
  return missingBefore(facts, statuses, gates, ignored)
}

/** Returns whether a requested cherry-pick is neither picked nor dismissed. */
export const hasOpenPicks = ({ picks = [] }: ReleaseFacts): boolean => picks.length > 0

/** Returns whether every review that counts for the release has been approved. */
export function isStoreApproved(facts: ReleaseFacts): boolean {
  const reviews = decidingSteps(facts, 'storeReview')
  if (reviews.length === 0) return facts.approvedAt !== null
  return reviews.every((step) => step.facts.state === 'approved')
}

/** Returns whether every submission that counts has been made. A new run of a step reopens it. */
export function isSubmitted(facts: ReleaseFacts): boolean {
  const submissions = decidingSteps(facts, 'submission')
  if (submissions.length === 0) return facts.submittedAt !== null
  return submissions.every((step) => step.facts.submitted)
}

/**
 * Returns whether the texts of the release have been sent to a store: from the call on, until the
 * store rejects or returns them.
 */
export function areTextsSubmitted(facts: ReleaseFacts): boolean {
  const submissions = decidingSteps(facts, 'submission')
  if (submissions.length === 0) return facts.submittedAt !== null
  const isRejected = decidingSteps(facts, 'storeReview').some(
    (step) => step.facts.state === 'rejected'
  )
  return submissions.some(
    ({ facts: { submitted, underWay = false } }) => underWay || (submitted && !isRejected)
  )
}

/**
 * Returns whether the release is kicked off, has every requested cherry-pick, and has completed
 * every required step before the submission. Stays true after the submission, so that the event
 * only repeats after the release was not ready in between. False for OTA releases, which have no
 * submission, and for skipped ones.
 */
export function isReadyToSubmit(facts: ReleaseFacts, statuses: StepStatuses): boolean {
  return (
    facts.storeKind !== 'ota' &&
    facts.skippedAt === null &&
    facts.kickedOffAt !== null &&
    !hasOpenPicks(facts) &&
    missingBeforeSubmission(facts, statuses).length === 0
  )
}

/**
 * Returns whether every required step before the takeoff is complete and the store has approved. An
 * OTA release needs no store, but every requested cherry-pick.
 */
export function isReadyToRelease(facts: ReleaseFacts, statuses: StepStatuses): boolean {
  return (
    facts.skippedAt === null &&
    facts.kickedOffAt !== null &&
    !(facts.storeKind === 'ota' && hasOpenPicks(facts)) &&
    (facts.storeKind === 'ota' || isStoreApproved(facts)) &&
    missingBeforeTakeoff(facts, statuses).length === 0
  )
}
