import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/actions/settle'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { handSetAfterItemChange } from '#releases/engine/item_step_rules'
import { isLegalItemStatus, LEGAL_ITEM_STATUSES } from '#releases/engine/item_statuses'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { stepRuns } from '#releases/tables'
import type { ItemStatus } from '#releases/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import { heldItems } from '../queries/held_items.js'
import { isMove, writeStatuses, type StatusChange } from './write_statuses.js'

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
  const steps = await letGoOfMarks(scope, release, moved)
  const { corrected } = await settle(scope, release, steps)
  if (!corrected) return written
  const present = await heldItems(scope, release, { itemIds: written.map(({ id }) => id) })
  const byId = new Map(present.map(({ item }) => [item.id, item]))
  return written.map(({ id }) => byId.get(id)!)
}

/**
 * A run's hand-set mark of progress gives way to its items once one of them changes.
 * @returns the steps as they are then
 */
async function letGoOfMarks(scope: Scope, release: Release, moved: readonly StatusChange[]) {
  const steps = await stepRows(scope, release.id)
  const stepIds = new Set(
    moved.flatMap(({ held }) => (held.item.kind === 'regression' ? held.stepId : []))
  )
  for (const step of steps) {
    if (step.type !== 'regressionTesting' || !stepIds.has(step.id)) continue
    const { handSet } = step.facts as RegressionTestingFacts
    const left = handSetAfterItemChange(handSet)
    if (left === handSet) continue
    step.facts = { handSet: left }
    await scope.update(stepRuns, { id: step.runId }, { facts: step.facts })
  }
  return steps
}
