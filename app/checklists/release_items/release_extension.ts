import { of, select } from '#foundation/core/database/statement'
import { count, object } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { failedUnderVerdict, verdictText } from '#releases/engine/item_step_rules'
import { isDone } from '#releases/engine/items'
import type { ReleaseExtension } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import type { RunRow } from '#releases/queries/run_rows'
import type { StepRow } from '#releases/queries/step_rows'
import { clearStaleApprovals } from './clear_stale_approvals.js'
import { changesFacts, copyItems, TOUCHED } from './copy_items.js'
import { reportItemChanges } from './report_item_changes.js'
import {
  ApprovalReleaseStepData,
  RegressionReleaseStepData,
  RegressionStepRunData,
  type ChecklistItemEntity,
} from '../entities.js'
import { evidence } from './evidence.js'
import { exampleSteps } from '../examples.js'
import { findReleaseItems } from '../queries/find_release_items.js'
import { itemFacts } from '../queries/item_facts.js'
import { testRunsOf } from '../extensions.js'
import { releaseItems } from '../tables.js'

const TOUCHED_STEPS = select(
  of(releaseItems, 'i', ['stepId']),
  `from release_items i where i.organization_id = :org and i.release_id = :releaseId
    and ${TOUCHED} group by i.step_id`
)

/** The extension of releases by items. */
export const releaseExtension: ReleaseExtension = {
  name: 'items',
  facts: {
    of: async (scope, release) => ({ items: await itemFacts(scope, release.id) }),
    correct: (scope, release, { steps, facts }) =>
      clearStaleApprovals(scope, release, steps, facts.items),
  },
  lifecycle: {
    async adopt(scope, release, { isNew, cache, leaving }) {
      const copied = await copyItems(scope, release, { cache, leaving })
      // The initial items of a release need no entry.
      if (!isNew) await reportItemChanges(scope, release, copied)
      if (changesFacts(copied)) scope.touch(release)
    },
    async touched(scope, release) {
      const rows = await scope.rows(TOUCHED_STEPS, { releaseId: release.id })
      return rows.map(({ stepId }) => stepId)
    },
    /** Deletes the copies before the one-offs of the release, which they refer to. */
    async remove(scope, release) {
      await scope.table('release_items').where('release_id', release.id).delete()
    },
  },
  presentation: {
    evidence,
    steps: {
      data: { approvals: ApprovalReleaseStepData, regressionTesting: RegressionReleaseStepData },
      members: {
        checklistItems: object('Number of items of all kinds.', {
          total: count('Number of items.'),
          done: count('Number of items that are done.'),
        }),
      },
      async of(scope, release) {
        const [byStep, testRuns] = await Promise.all([
          itemsByStep(scope, release),
          testRunsOf(scope, release),
        ])
        const itemsOf = ({ id }: { id: string }) => byStep.get(id) ?? []
        return {
          dataOf(step) {
            if (step.type === 'approvals') return approvalData(itemsOf(step))
            if (step.type !== 'regressionTesting') return undefined
            return { ...regressionData(release, step, itemsOf(step)), testRuns }
          },
          membersOf(step) {
            const items = itemsOf(step)
            return {
              checklistItems: { total: items.length, done: items.filter(isItemDone).length },
            }
          },
        }
      },
      example: exampleSteps,
    },
    runs: {
      data: { regressionTesting: RegressionStepRunData },
      async dataOf(scope, run) {
        if (run.type !== 'regressionTesting') return undefined
        return {
          ...regressionRunData(run),
          testRuns: await testRunsOf(scope, { id: run.releaseId }),
        }
      },
    },
  },
}

async function itemsByStep(scope: Scope, release: ReleaseRow) {
  const byStep = new Map<string, ChecklistItemEntity[]>()
  for (const { stepId, item } of await findReleaseItems(scope, release)) {
    const items = byStep.get(stepId)
    if (items) items.push(item)
    else byStep.set(stepId, [item])
  }
  return byStep
}

function approvalData(items: readonly ChecklistItemEntity[]) {
  const approvals = items.filter((item) => item.kind === 'approval')
  return {
    items: approvals,
    approvedCount: approvals.filter(isItemDone).length,
    totalCount: approvals.length,
  }
}

function regressionData(
  { regressionStatus }: ReleaseRow,
  step: StepRow,
  items: readonly ChecklistItemEntity[]
) {
  return {
    regressionStatus,
    verdict: verdictOf(step, items),
    items: items.filter((item) => item.kind === 'regression'),
  }
}

function regressionRunData({ facts, notes }: RunRow) {
  const { comment = null, url = null, setBy = null, setAt = null } = notes
  const { handSet: regressionStatus = null } = facts as Partial<RegressionTestingFacts>
  return { regressionStatus, comment, url, setBy, setAt }
}

/** Returns the status that a person set the run to; null for none. */
function verdictOf({ facts, notes }: StepRow, items: readonly ChecklistItemEntity[]) {
  const run = facts as RegressionTestingFacts
  if (run.handSet === null) return null
  const failedItems = failedUnderVerdict(
    run,
    items.map(({ kind, status }) => ({ kind, status: status!.type }))
  )
  const { setBy = null, setAt = null, comment = null, url = null } = notes
  const explanation = failedItems > 0 ? verdictText(failedItems) : null
  return { status: run.handSet, setBy, setAt, comment, url, failedItems, explanation }
}

function isItemDone({ status }: ChecklistItemEntity): boolean {
  return status !== null && isDone({ status: status.type })
}
