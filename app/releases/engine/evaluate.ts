import type { Instant } from '#foundation/core/clock'
import type {
  ReleaseRegressionTestingStatus,
  ReleaseStepStatus,
  ReleaseTimelinePhase,
} from '#releases/vocabulary'
import type { Assessment } from './assessment.js'
import type { ReleaseFacts } from './facts.js'
import type { StepStatuses } from './readiness.js'
import { itemsByStep } from './items.js'
import { isRunUntested, regressionRunStatus } from './item_step_rules.js'
import { assessStep } from './step_rules.js'
import { isReadyToRelease, isReadyToSubmit, decidingSteps } from './readiness.js'
import { isFinished, phaseOf } from './phase.js'
import { nextLookAt } from './outlook.js'

/** The statuses that follow from the facts of a release. */
export interface Evaluation {
  /** In the order of the workflow. */
  steps: { stepId: string; status: ReleaseStepStatus }[]
  regressionStatus: ReleaseRegressionTestingStatus
  phase: ReleaseTimelinePhase
  readyToSubmit: boolean
  readyToRelease: boolean
  /** The release is over by its facts: an active one is to be completed. */
  finished: boolean
  /** The first instant at which time alone makes something due; null when nothing is. */
  nextLookAt: Instant | null
}

/** Each step's status and unmet conditions, by step id in the order of the workflow. */
export function assessSteps(facts: ReleaseFacts) {
  const items = itemsByStep(facts)
  return new Map(
    facts.steps.map((step) => [step.id, assessStep(facts, step, items.get(step.id) ?? [])] as const)
  )
}

/** The statuses alone, as readiness and outlook read them. */
export function statusesOf(assessments: ReadonlyMap<string, Assessment>): StepStatuses {
  return new Map([...assessments].map(([id, { status }]) => [id, status]))
}

/**
 * Derives the status of a release. Pure: the same facts and instant give the same evaluation.
 * Total: any facts that type-check are evaluated.
 */
export function evaluate(
  facts: ReleaseFacts,
  now: Instant,
  assessments: ReadonlyMap<string, Assessment> = assessSteps(facts)
): Evaluation {
  const statuses = statusesOf(assessments)
  const readyToSubmit = isReadyToSubmit(facts, statuses)
  const readyToRelease = isReadyToRelease(facts, statuses)
  return {
    steps: [...statuses].map(([stepId, status]) => ({ stepId, status })),
    regressionStatus: regressionStatus(facts),
    phase: phaseOf(facts, { readyToSubmit, readyToRelease }),
    readyToSubmit,
    readyToRelease,
    finished: isFinished(facts),
    nextLookAt: nextLookAt(facts, statuses, now),
  }
}

/**
 * The regression status of the release over its regression runs (the required ones, or all if none
 * is required): the worst of failed and blocked, passed when all passed, untouched when all are.
 * Runs that are done though nobody tested anything count for nothing; without others, and without
 * a regression step, it is `notStarted`.
 */
function regressionStatus(facts: ReleaseFacts): ReleaseRegressionTestingStatus {
  const items = itemsByStep(facts)
  const runs = decidingSteps(facts, 'regressionTesting').flatMap((step) => {
    const own = items.get(step.id) ?? []
    if (isRunUntested(facts, step, step.facts, own)) return []
    return [regressionRunStatus(facts, step, step.facts, own)]
  })
  if (runs.includes('failed')) return 'failed'
  if (runs.includes('blocked')) return 'blocked'
  if (runs.every((run) => run === 'notStarted')) return 'notStarted'
  return runs.every((run) => run === 'passed') ? 'passed' : 'inProgress'
}
