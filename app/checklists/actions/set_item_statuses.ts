import { of, select } from '#foundation/core/database/statement'
import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/actions/settle'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { handSetAfterItemChange } from '#releases/engine/item_step_rules'
import { isLegalItemStatus, LEGAL_ITEM_STATUSES } from '#releases/engine/item_statuses'
import type Release from '#releases/models/release'
import { stepRuns } from '#releases/tables'
import type { ItemStatus } from '#releases/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import { heldItems } from '../queries/held_items.js'
import { isMove, writeStatuses, type StatusChange } from './write_statuses.js'

const REGRESSION_RUNS = select(
  of(stepRuns, 'n', ['id', 'stepId', 'facts']),
  `from release_steps s join step_runs n on n.id = s.step_run_id
  where s.organization_id = :org and s.release_id = :releaseId and s.type = 'regressionTesting'`
)

/** @throws invalid_input unless the item may be set to the status. */
export function demandLegalStatus(item: ChecklistItemEntity, status: ItemStatus): void {
  if (isLegalItemStatus(item.kind, status)) return
  throw refuseField(
    '/status',
    'illegal_status',
    `An item of kind ${item.kind} is ${LEGAL_ITEM_STATUSES[item.kind].join(', ')}; not ${status}.`
  )
}

/**
 * Sets statuses and comments of items of one open release: one event per status that
 * differs, then the release is derived anew once. What is the same already is not written.
 * @returns the items as they are then, in the order given.
 */
export async function setItemStatuses(
  scope: Scope,
  release: Release,
  changes: readonly StatusChange[]
): Promise<ChecklistItemEntity[]> {
  const written = await writeStatuses(scope, release, changes)
  const moved = changes.filter(isMove)
  if (moved.length === 0) return written
  await letGoOfMarks(scope, release, moved)
  const { corrected } = await settle(scope, release)
  if (!corrected) return written
  const present = await heldItems(scope, release, { itemIds: written.map(({ id }) => id) })
  const byId = new Map(present.map(({ item }) => [item.id, item]))
  return written.map(({ id }) => byId.get(id)!)
}

/** A run's hand-set mark of progress gives way to its items once one of them changes. */
async function letGoOfMarks(scope: Scope, release: Release, moved: readonly StatusChange[]) {
  const stepIds = new Set(
    moved.flatMap(({ held }) => (held.item.kind === 'regression' ? held.stepId : []))
  )
  if (stepIds.size === 0) return
  for (const run of await scope.rows(REGRESSION_RUNS, { releaseId: release.id })) {
    if (!stepIds.has(run.stepId)) continue
    const { handSet } = run.facts as RegressionTestingFacts
    const left = handSetAfterItemChange(handSet)
    if (left !== handSet) await scope.update(stepRuns, { id: run.id }, { facts: { handSet: left } })
  }
}
