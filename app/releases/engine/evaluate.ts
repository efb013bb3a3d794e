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
import { nextEvaluationAt } from './outlook.js'

/** The statuses that follow from the facts of a release. */
export interface Evaluation {
  /** In the order of the workflow. */
  steps: { stepId: string; status: ReleaseStepStatus }[]
  regressionStatus: ReleaseRegressionTestingStatus
  phase: ReleaseTimelinePhase
  readyToSubmit: boolean
  readyToRelease: boolean
  /** The release has ended by its facts, so an active one is completed. */
  finished: boolean
  /** The next instant at which the passing of time makes something due; null for none. */
  nextEvaluationAt: Instant | null
}

/** Returns each step's status and unmet conditions, by step id in the order of the workflow. */
export function assessSteps(facts: ReleaseFacts) {
  const items = itemsByStep(facts)
  return new Map(
    facts.steps.map((step) => [step.id, assessStep(facts, step, items.get(step.id) ?? [])] as const)
  )
}

/** Returns only the statuses, for readiness and outlook. */
export function statusesOf(assessments: ReadonlyMap<string, Assessment>): StepStatuses {
  return new Map([...assessments].map(([id, { status }]) => [id, status]))
}

/**
 * Derives the status of a release. The function is pure (the same facts and instant give the same
 * evaluation) and total (it evaluates any facts that type-check).
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
    nextEvaluationAt: nextEvaluationAt(facts, statuses, now),
  }
}

/**
 * Derives the regression status of the release from its regression runs: the required ones, or all
 * if none is required. It is `failed` or `blocked` if one run is, `passed` if all are, and
 * `notStarted` if all are. Runs that are done although nobody tested anything are ignored. Without
 * other runs, it is `notStarted`.
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
