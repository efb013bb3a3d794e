import type { ReleaseRegressionTestingStatus, ReleaseStepStatus } from '#releases/vocabulary'
import type {
  ApprovalsFacts,
  ItemFacts,
  RegressionTestingFacts,
  ReleaseFacts,
  StepFacts,
} from './facts.js'
import type { Condition } from './conditions.js'
import type { Assessment } from './assessment.js'
import { COMPLETE, incomplete } from './assessment.js'
import { actors, holderOf, itemCondition, TEST_MANAGEMENT } from './conditions.js'
import { isBlocking, isDone, itemsByStep, hasBegun } from './items.js'

/**
 * The progress of the items of an approvals or regression step.
 * Only required items count as done or blocked. Any touched item, required or not, starts the step.
 * A required step without required items is done once the release is kicked off. A step that is not
 * required is done when it has items and all of them are done.
 */
interface Progress {
  /** The items that decide. The step is complete once all of them are done. */
  deciding: ItemFacts[]
  done: boolean
  touched: boolean
}

function progressOf(facts: ReleaseFacts, step: StepFacts, items: readonly ItemFacts[]): Progress {
  const required = items.filter((item) => item.required)
  const deciding = required.length > 0 || step.required ? required : [...items]
  const done =
    deciding.length > 0 ? deciding.every(isDone) : step.required && facts.kickedOffAt !== null
  return { deciding, done, touched: items.some(hasBegun) }
}

function openConditions(facts: ReleaseFacts, step: StepFacts, { deciding }: Progress): Condition[] {
  if (deciding.length > 0) {
    return deciding.filter((item) => !isDone(item)).map((item) => itemCondition(facts, item))
  }
  if (step.required) {
    return [
      {
        code: 'not_kicked_off',
        message: 'The step has no required items and is done once the release is kicked off.',
        who: actors(facts, 'CreateBranchPromoteCode', 'kickoff'),
      },
    ]
  }
  return [
    {
      code: 'no_items',
      message: 'The step has no items to complete.',
      who: [holderOf('EditChecklists')],
    },
  ]
}

/**
 * Returns the status of one regression run. A status that a person set holds until it is changed or
 * cleared (`handSetAfterItemChange`). Otherwise the status follows from the items and from the test
 * runs of external systems.
 */
export function regressionRunStatus(
  facts: ReleaseFacts,
  step: StepFacts,
  { handSet }: RegressionTestingFacts,
  stepItems: readonly ItemFacts[]
): ReleaseRegressionTestingStatus {
  if (handSet !== null) return handSet
  const items = stepItems.filter((item) => item.kind === 'regression')
  const progress = progressOf(facts, step, items)
  const required = items.filter((item) => item.required)
  const { testRuns } = facts
  const hasFailed = testRuns !== undefined && testRuns.failed > 0
  if (hasFailed || required.some((item) => item.status === 'failed')) return 'failed'
  if (required.some((item) => item.status === 'blocked')) return 'blocked'
  if (isUntested(facts, progress)) return 'notStarted'
  if (areItemsDone(facts, progress) && !testRuns?.untested) return 'passed'
  return progress.touched || testRuns?.done ? 'inProgress' : 'notStarted'
}

/** Returns whether the deciding items are done. If test runs exist, they replace missing items. */
const areItemsDone = ({ testRuns }: ReleaseFacts, { done, deciding }: Progress) =>
  done || (deciding.length === 0 && testRuns !== undefined)

/**
 * Returns whether a step is done although nothing was tested: no item decides or has begun, and no
 * test ran.
 */
const isUntested = ({ testRuns }: ReleaseFacts, { done, deciding, touched }: Progress) =>
  done && deciding.length === 0 && !touched && testRuns === undefined

/** Returns whether a regression run is done although nobody tested anything or set a verdict. */
export function isRunUntested(
  facts: ReleaseFacts,
  step: StepFacts,
  { handSet }: RegressionTestingFacts,
  stepItems: readonly ItemFacts[]
): boolean {
  const items = stepItems.filter((item) => item.kind === 'regression')
  return handSet === null && isUntested(facts, progressOf(facts, step, items))
}

function testConditions({ testRuns }: ReleaseFacts): Condition[] {
  if (!testRuns) return []
  const { failed, untested } = testRuns
  const holders = holderOf('UpdateRegressionTesting')
  return [
    ...(failed > 0
      ? [
          {
            code: 'tests_failed' as const,
            message: `${failed} tests in the test runs failed or are blocked.`,
            who: [TEST_MANAGEMENT, holders],
          },
        ]
      : []),
    ...(untested > 0
      ? [
          {
            code: 'tests_open' as const,
            message: `${untested} tests in the test runs have not been completed yet.`,
            who: [TEST_MANAGEMENT, holders],
          },
        ]
      : []),
  ]
}

/**
 * Returns the number of failed or blocked items that a person's verdict overrides: 0 unless the run
 * was set to passed by hand.
 */
export function failedUnderVerdict(
  { handSet }: RegressionTestingFacts,
  stepItems: readonly Pick<ItemFacts, 'kind' | 'status'>[]
): number {
  if (handSet !== 'passed') return 0
  const fails = ({ kind, status }: Pick<ItemFacts, 'kind' | 'status'>) =>
    kind === 'regression' && (status === 'failed' || status === 'blocked')
  return stepItems.filter(fails).length
}

/** The kind of items that complete a step, by the type of the step. */
const KIND_OF: Partial<Record<StepFacts['type'], ItemFacts['kind']>> = {
  regressionTesting: 'regression',
  approvals: 'approval',
}

/**
 * Returns whether a required step has no items and is therefore complete without any work. A
 * verdict set by hand and test runs count as work.
 */
export function isEmptyStep(
  { testRuns }: ReleaseFacts,
  step: StepFacts,
  stepItems: readonly ItemFacts[]
): boolean {
  const kind = KIND_OF[step.type]
  if (kind === undefined || !step.required) return false
  if (step.type === 'regressionTesting' && (testRuns || step.facts.handSet !== null)) return false
  return !stepItems.some((item) => item.kind === kind)
}

/** Returns the required steps without items. */
export function emptySteps(facts: ReleaseFacts): StepFacts[] {
  const items = itemsByStep(facts)
  return facts.steps.filter((step) => isEmptyStep(facts, step, items.get(step.id) ?? []))
}

/** Returns the message for a required step without items. */
export const emptyStepText = ({ name }: Pick<StepFacts, 'name'>) =>
  `"${name}" is required and has no items: it counts as complete from kickoff on, though nothing was done. Anyone who may edit checklists can add items.`

/** Returns the message for a verdict over failed items. */
export function verdictText(failedItems: number): string {
  const items = `${failedItems} failed or blocked ${failedItems === 1 ? 'item' : 'items'}`
  return `Regression testing was set to passed by hand, despite ${items}.`
}

/**
 * Returns the hand-set status that remains after an item of the run changes. A verdict (passed,
 * failed, blocked) remains; a mere progress mark is dropped in favor of the items.
 */
export function handSetAfterItemChange(
  handSet: ReleaseRegressionTestingStatus | null
): ReleaseRegressionTestingStatus | null {
  return handSet === 'notStarted' || handSet === 'inProgress' ? null : handSet
}

const STEP_STATUS_OF: Record<ReleaseRegressionTestingStatus, ReleaseStepStatus> = {
  notStarted: 'notStarted',
  inProgress: 'inProgress',
  blocked: 'blocked',
  failed: 'blocked',
  passed: 'complete',
}

export function regressionTesting(
  facts: ReleaseFacts,
  step: StepFacts,
  part: RegressionTestingFacts,
  stepItems: readonly ItemFacts[]
): Assessment {
  const run = regressionRunStatus(facts, step, part, stepItems)
  const status = STEP_STATUS_OF[run]
  if (status === 'complete') return COMPLETE
  if (part.handSet !== null) {
    return incomplete(status, {
      code: 'regression_status_set_by_hand',
      message: `The regression status was set to ${run}; it must be set to passed.`,
      who: [holderOf('UpdateRegressionTesting')],
    })
  }
  const items = stepItems.filter((item) => item.kind === 'regression')
  const progress = progressOf(facts, step, items)
  if (isUntested(facts, progress)) return COMPLETE
  const open = areItemsDone(facts, progress) ? [] : openConditions(facts, step, progress)
  return { status, unmet: [...open, ...testConditions(facts)] }
}

export function approvals(
  facts: ReleaseFacts,
  step: StepFacts,
  { handSet }: ApprovalsFacts,
  stepItems: readonly ItemFacts[]
): Assessment {
  const items = stepItems.filter((item) => item.kind === 'approval')
  const progress = progressOf(facts, step, items)
  if (handSet !== false && progress.done) return COMPLETE
  // A step can only be approved by hand if no item requires an approval.
  if (handSet === true && progress.deciding.length === 0) return COMPLETE
  const status = itemStatus(items, progress)
  if (handSet === false) {
    return incomplete(status, {
      code: 'approval_withdrawn',
      message: 'The approval of this step was withdrawn; it has to be approved again.',
      who: [holderOf('ApproveScreenshotsMetadata')],
    })
  }
  return { status, unmet: openConditions(facts, step, progress) }
}

function itemStatus(items: readonly ItemFacts[], { touched }: Progress): ReleaseStepStatus {
  if (items.some((item) => item.required && isBlocking(item))) return 'blocked'
  return touched ? 'inProgress' : 'notStarted'
}
