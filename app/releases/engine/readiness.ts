import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ReleaseFacts, StepFacts } from './facts.js'
import { isBefore } from './step_order.js'

/** Statuses of the steps of one evaluation, by step id. */
export type StepStatuses = ReadonlyMap<string, ReleaseStepStatus>

/** The archetypes that carry a release through its store; none of them prepares a submission. */
const STORE_TYPES: readonly ReleaseStepType[] = ['submission', 'storeReview', 'takeoff', 'rollout']

/** Steps of an archetype that speak for the release: the required ones, or all if none is. */
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

/** Returns whether a step serves the destination of another. */
function serves(step: StepFacts, other: StepFacts): boolean {
  return (
    step.destinationId === null ||
    other.destinationId === null ||
    step.destinationId === other.destinationId
  )
}

/**
 * Required steps still missing before `gate`: those that precede it in the workflow and serve its
 * destination. Without a gate, every required step of these archetypes.
 */
function missingBefore(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  gates: readonly StepFacts[],
  left: readonly ReleaseStepType[]
): StepFacts[] {
  return facts.steps.filter(
    (step) =>
      step.required &&
      !left.includes(step.type) &&
      statuses.get(step.id) !== 'complete' &&
      (gates.length === 0 || gates.some((gate) => precedes(step, gate) && serves(step, gate)))
  )
}

/** Required steps that keep the release, or one of its submission steps, from being submitted. */
export function missingBeforeSubmission(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  submissionStep?: StepFacts
): StepFacts[] {
  const gates = submissionStep ? [submissionStep] : decidingSteps(facts, 'submission')
  return missingBefore(facts, statuses, gates, STORE_TYPES)
}

/**
 * Required steps that keep the release, or one of its takeoff steps, from going to users.
 * An OTA release has no store: its submission and review steps do not count.
 */
export function missingBeforeTakeoff(
  facts: ReleaseFacts,
  statuses: StepStatuses,
  takeoffStep?: StepFacts
): StepFacts[] {
  const gates = takeoffStep ? [takeoffStep] : decidingSteps(facts, 'takeoff')
  const left: readonly ReleaseStepType[] =
    facts.storeKind === 'ota' ? STORE_TYPES : ['takeoff', 'rollout']
  return missingBefore(facts, statuses, gates, left)
}

/** Returns whether requested cherry-picks are neither picked nor dismissed. */
export const hasOpenPicks = ({ picks = [] }: ReleaseFacts): boolean => picks.length > 0

/** Returns whether every review that counts for the release was approved. */
export function isStoreApproved(facts: ReleaseFacts): boolean {
  const reviews = decidingSteps(facts, 'storeReview')
  if (reviews.length === 0) return facts.approvedAt !== null
  return reviews.every((step) => step.facts.state === 'approved')
}

/** Returns whether every submission that counts for the release is made. A new run reopens it. */
export function isSubmitted(facts: ReleaseFacts): boolean {
  const submissions = decidingSteps(facts, 'submission')
  if (submissions.length === 0) return facts.submittedAt !== null
  return submissions.every((step) => step.facts.submitted)
}

/**
 * Returns whether the texts of the release are with a store or on their way there: from the call
 * until the store rejects or returns them.
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
 * Kicked off, every requested cherry-pick in and every required step before submission complete. Stays true while submitted, so
 * that the edge is passed again only after it was not ready in between. Never for OTA, which has
 * no submission, nor while the release is skipped.
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
 * Required steps up to takeoff complete and the store has approved. OTA: required steps complete,
 * as there is no store.
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
