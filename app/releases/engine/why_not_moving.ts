import type { Instant } from '#foundation/core/clock'
import type { ReleaseStepStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { Assessment } from './assessment.js'
import type { ItemFacts, ReleaseFacts, StepFacts } from './facts.js'
import type { Condition, Who } from './conditions.js'
import type { NextStep } from './outlook.js'
import type { StepStatuses } from './readiness.js'
import { actors, holderOf, SERVICE, STORE, targetOf } from './conditions.js'
import { assessSteps, statusesOf } from './evaluate.js'
import { emptyStepText, failedUnderVerdict, isEmptyStep, verdictText } from './item_step_rules.js'
import { itemsByStep } from './items.js'
import { byDate, isPending, outlook, targetDates } from './outlook.js'
import { isFinished } from './phase.js'
import { ON_ITS_WAY, rejection, submissionFailed } from './store_step_rules.js'
import {
  isStoreApproved,
  isSubmitted,
  missingBeforeSubmission,
  missingBeforeTakeoff,
  decidingSteps,
} from './readiness.js'

/** A step with the conditions that keep it from complete. A complete step has none. */
export interface StepAnswer {
  stepId: string
  name: string
  type: ReleaseStepType
  status: ReleaseStepStatus
  required: boolean
  unmet: Condition[]
  /** Warnings about the step that do not block it. */
  warnings: Warning[]
}

interface Warning {
  code: 'verdict_over_failed_items' | 'no_items'
  message: string
}

/** The release of the train that an upcoming one waits for. */
interface TrainHolder {
  /** The public id. */
  id: string
  version: string
}

/** Conditions of another release that this one is released together with. */
export interface HeldOutside {
  conditions: Condition[]
  /** True once somebody has released this one, so nobody else has to. */
  isTakenOff: boolean
  /** True if this one is ready and only waits for the other one. */
  isForOther: boolean
}

/** Why a release does not move, who can move it, and what happens by itself. */
interface WhyNotMoving {
  steps: StepAnswer[]
  /** The conditions that keep the release from its next phase; empty after it has ended. */
  release: Condition[]
  next: NextStep[]
}

/**
 * Explains the evaluation that gives the statuses: why the release does not move on. A completed
 * release waits for nothing.
 * @param holders the releases of the train that an upcoming release waits for
 * @param outside conditions of other releases, as extensions report them
 */
export function whyNotMoving(
  facts: ReleaseFacts,
  now: Instant,
  holders: readonly TrainHolder[] = [],
  outside: readonly HeldOutside[] = []
): WhyNotMoving {
  const assessments = assessSteps(facts)
  const isTakenOff = outside.some((each) => each.isTakenOff)
  const others = outside.flatMap(({ conditions }) => conditions)
  // Once somebody has released it, the condition to release it is replaced.
  const withOthers = (condition: Condition) =>
    isTakenOff && condition.code === 'release_pending' ? others : [condition]
  const statuses = statusesOf(assessments)
  const items = itemsByStep(facts)
  return {
    steps: facts.steps.map((step) => {
      const result = answerFor(facts, step, assessments)
      return {
        ...result,
        unmet: result.unmet.flatMap(withOthers),
        warnings: isOver(facts) ? [] : warningsOf(facts, step, items.get(step.id) ?? []),
      }
    }),
    release: [
      ...holders.map(trainHeld),
      ...others,
      ...releaseConditions(facts, assessments, statuses).filter(
        ({ code }) => !(isTakenOff && code === 'not_released')
      ),
      ...heldAutomations(facts, holders),
    ],
    next: [
      ...outlook(facts, statuses, now).map((step) => afterHolders(step, holders)),
      ...targetDates(facts, now),
    ].sort(byDate),
  }
}

function answerFor(
  facts: ReleaseFacts,
  step: StepFacts,
  assessments: ReadonlyMap<string, Assessment>
): Omit<StepAnswer, 'warnings'> {
  const { id: stepId, name, type, required } = step
  const { status, unmet } = assessments.get(stepId) ?? { status: 'notStarted', unmet: [] }
  return { stepId, name, type, status, required, unmet: isOver(facts) ? [] : unmet }
}

const isOver = ({ completedAt }: ReleaseFacts) => completedAt !== null

function warningsOf(facts: ReleaseFacts, step: StepFacts, items: readonly ItemFacts[]): Warning[] {
  if (isEmptyStep(facts, step, items)) return [{ code: 'no_items', message: emptyStepText(step) }]
  if (step.type !== 'regressionTesting') return []
  const failed = failedUnderVerdict(step.facts, items)
  return failed === 0 ? [] : [{ code: 'verdict_over_failed_items', message: verdictText(failed) }]
}

const versionsOf = (holders: readonly TrainHolder[]) =>
  holders.map(({ version }) => version).join(' and ')

/** Adapts the message of a kickoff that has to wait for the train. */
function afterHolders(step: NextStep, holders: readonly TrainHolder[]): NextStep {
  if (step.what !== 'kickoff' || holders.length === 0) return step
  const message = `The release is kicked off on its target date if ${versionsOf(holders)} is over by then, otherwise as soon as it is.`
  return { ...step, message }
}

function trainHeld({ id, version }: TrainHolder): Condition {
  return {
    code: 'train_held',
    message: `${version} is the active release of the train: this one follows when that one is over.`,
    subject: { type: 'release', id, name: version },
    who: [holderOf('CreateDeleteRelease')],
  }
}

/** Returns the conditions of the release itself, without the train, automations and others. */
export function releaseConditions(
  facts: ReleaseFacts,
  assessments: ReadonlyMap<string, Assessment>,
  statuses: StepStatuses
): Condition[] {
  if (facts.skippedAt !== null) {
    return [
      {
        code: 'release_skipped',
        message: `The release was skipped on ${facts.skippedAt}.`,
        who: [holderOf('CreateDeleteRelease')],
      },
    ]
  }
  if (isOver(facts) || isFinished(facts)) return []
  const failed = refusedSubmission(facts)
  const waiting = rejectedReview(facts) ?? notKickedOff(facts)
  if (waiting) return [...failed, waiting]
  const missing = (steps: StepFacts[]) =>
    steps.map((step) => missingStep(step, assessments.get(step.id)?.unmet ?? []))
  if (facts.storeKind !== 'ota' && !isSubmitted(facts)) {
    const steps = missingBeforeSubmission(facts, statuses)
    const unmet = [...failed, ...picksMissing(facts), ...missing(steps)]
    if (unmet.length > 0) return unmet
    return [notSubmitted(facts)]
  }
  const approved = facts.storeKind === 'ota' || isStoreApproved(facts)
  const steps = missingBeforeTakeoff(facts, statuses).filter(
    (step) => approved || step.type !== 'storeReview'
  )
  const picks = facts.storeKind === 'ota' ? picksMissing(facts) : []
  return [...picks, ...missing(steps), ...towardsUsers(facts, steps.length > 0 || picks.length > 0)]
}

/** Returns the conditions of requested cherry-picks that are not in the release. */
function picksMissing({ picks = [] }: ReleaseFacts): Condition[] {
  return picks.map(({ commit, failure }) =>
    failure === null
      ? {
          code: 'cherry_pick_open',
          message: `The commit ${commit} is being picked onto the branch.`,
          who: [SERVICE],
        }
      : {
          code: 'cherry_pick_failed',
          message: `The commit ${commit} is not in the release: ${failure}. Bring it in by hand, or dismiss it with a reason.`,
          who: [holderOf('CreateBranchPromoteCode')],
        }
  )
}

function rejectedReview(facts: ReleaseFacts): Condition | null {
  const review = decidingSteps(facts, 'storeReview').find((step) => step.facts.state === 'rejected')
  return review ? rejection(review.facts) : null
}

function notKickedOff(facts: ReleaseFacts): Condition | null {
  if (facts.kickedOffAt !== null) return null
  return {
    code: 'not_kicked_off',
    message: 'The release is not kicked off.',
    who: actors(facts, 'CreateBranchPromoteCode', 'kickoff'),
  }
}

/** Returns the first failed submission as a condition. */
function refusedSubmission(facts: ReleaseFacts): Condition[] {
  const failures = decidingSteps(facts, 'submission').flatMap(
    ({ facts: { submitted, failure, isAway } }) =>
      submitted || !failure ? [] : [submissionFailed(failure, isAway)]
  )
  return failures.slice(0, 1)
}

function notSubmitted(facts: ReleaseFacts): Condition {
  return {
    code: 'not_submitted',
    message: 'Every required step is complete; the release is not submitted for review.',
    who: actors(facts, 'SubmitForReview', 'submit'),
  }
}

/** Returns the conditions that keep a submitted release, or an OTA release, from its users. */
function towardsUsers(facts: ReleaseFacts, stepsMissing: boolean): Condition[] {
  const rollouts = decidingSteps(facts, 'rollout').filter((step) => step.facts.state !== null)
  if (rollouts.length > 0 || facts.releasedAt !== null) {
    return [
      {
        code: 'rolling_out',
        message: 'The release has not reached all of its users yet.',
        who: [...(facts.storeKind === 'ota' ? [] : [STORE]), holderOf('SubmitForReview')],
      },
    ]
  }
  if (facts.storeKind !== 'ota' && !isStoreApproved(facts)) {
    return [
      {
        code: 'in_review',
        message: 'The store has not approved the release.',
        who: [STORE],
      },
    ]
  }
  if (stepsMissing) return []
  const open = decidingSteps(facts, 'takeoff').filter((step) => !step.facts.released)
  if (open.length > 0 && open.every((step) => step.facts.underWay)) return [ON_ITS_WAY]
  return [
    {
      code: 'not_released',
      message: 'Every required step is complete; the release is not released to users.',
      who: actors(facts, 'SubmitForReview', 'release'),
    },
  ]
}

/** Returns an incomplete required step as a condition, with everybody its conditions name. */
function missingStep(step: StepFacts, unmet: readonly Condition[]): Condition {
  return {
    code: 'required_step_incomplete',
    message: `The required step "${step.name}" is not complete.`,
    subject: { type: 'step', id: step.id, name: step.name },
    who: distinct(unmet.flatMap((condition) => condition.who)),
  }
}

/** Removes duplicates. */
export function distinct(people: readonly Who[]): Who[] {
  const found = new Map(people.map((who) => [`${who.type}|${who.id ?? ''}|${who.name ?? ''}`, who]))
  return [...found.values()]
}

/** Returns the conditions of automations that are paused, frozen or waiting for the train. */
function heldAutomations(facts: ReleaseFacts, holders: readonly TrainHolder[]): Condition[] {
  return facts.automations.flatMap(({ action, enabled, heldBy }) => {
    const at = targetOf(facts, action)
    if (!enabled || heldBy === null || at === null || !isPending(facts, action)) return []
    return [
      {
        code: 'automation_held' as const,
        message:
          heldBy === 'train'
            ? `The automation for ${action} on ${at} waits: it acts once ${versionsOf(holders) || 'the previous release'} is over.`
            : `The automation for ${action} on ${at} is held by a ${heldBy}.`,
        who: [holderOf(heldBy === 'train' ? 'CreateDeleteRelease' : 'EditAutomations')],
      },
    ]
  })
}
