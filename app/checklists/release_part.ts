import { Type } from '@sinclair/typebox'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { isDone } from '#releases/engine/items'
import type { ReleasePart } from '#releases/parts'
import type { ReleaseRow } from '#releases/queries/read_release'
import { clearStaleApprovals } from './release_items/clear_stale_approvals.js'
import { copyItems, TOUCHED } from './release_items/copy_items.js'
import {
  ApprovalReleaseStepData,
  RegressionReleaseStepData,
  type ChecklistItemEntity,
} from './entities.js'
import { findReleaseItems } from './queries/find_release_items.js'
import { itemFacts } from './queries/item_facts.js'
import { releaseItems } from './tables.js'

const TOUCHED_STEPS = select(
  of(releaseItems, 'i', ['stepId']),
  `from release_items i where i.organization_id = :org and i.release_id = :releaseId
    and ${TOUCHED} group by i.step_id`
)

/** The items of a release. */
export const releasePart: ReleasePart = {
  name: 'items',

  facts: async (scope, release) => ({ items: await itemFacts(scope, release.id) }),

  correct: (scope, release, { steps, facts }) =>
    clearStaleApprovals(scope, release, steps, facts.items),

  adopt: (scope, release) => copyItems(scope, release),

  async touched(scope, release) {
    const rows = await scope.rows(TOUCHED_STEPS, { releaseId: release.id })
    return rows.map(({ stepId }) => stepId)
  },

  /** Rows of items refer to one-off items of the release, so they go first. */
  async remove(scope, release) {
    await scope.table('release_items').where('release_id', release.id).delete()
  },

  steps: {
    data: { approvals: ApprovalReleaseStepData, regressionTesting: RegressionReleaseStepData },
    members: {
      checklistItems: Type.Object({
        total: Type.Integer({ minimum: 0 }),
        done: Type.Integer({ minimum: 0 }),
      }),
    },
    async of(scope, release) {
      const byStep = await itemsByStep(scope, release)
      const itemsOf = ({ id }: { id: string }) => byStep.get(id) ?? []
      return {
        dataOf(step) {
          if (step.type === 'approvals') return approvalData(itemsOf(step))
          if (step.type === 'regressionTesting') return regressionData(release, itemsOf(step))
          return undefined
        },
        membersOf(step) {
          const items = itemsOf(step)
          return { checklistItems: { total: items.length, done: items.filter(isItemDone).length } }
        },
      }
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

function regressionData({ regressionStatus }: ReleaseRow, items: readonly ChecklistItemEntity[]) {
  return {
    regressionStatus,
    items: items.filter((item) => item.kind === 'regression'),
    testRuns: [],
  }
}

function isItemDone({ status }: ChecklistItemEntity): boolean {
  return status !== null && isDone({ status: status.type })
}
