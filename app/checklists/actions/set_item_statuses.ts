import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/actions/settle'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { handSetAfterItemChange } from '#releases/engine/item_step_rules'
import type Release from '#releases/models/release'
import StepRun from '#releases/models/step_run'
import type { ChecklistItemEntity } from '../entities.js'
import { releaseItems, type PlacedItem } from '../queries/release_items.js'
import { isLegalItemStatus, LEGAL_ITEM_STATUSES, type ItemStatus } from '../vocabulary.js'
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

/** An item of a release. @throws not_found when the release does not hold it. */
export async function heldItem(
  scope: Scope,
  release: Release,
  itemId: string
): Promise<PlacedItem> {
  const [held] = await releaseItems(scope, release, { itemIds: [itemId] })
  if (!held) throw refuse('not_found', { detail: 'There is no such item in the release.' })
  return held
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
  const present = await writeStatuses(scope, release, changes)
  const moved = changes.filter(isMove)
  await letGoOfMarks(scope, release, moved)
  if (moved.length > 0) await settle(scope, release)
  return present
}

/** A run's hand-set mark of progress gives way to its items once one of them changes. */
async function letGoOfMarks(scope: Scope, release: Release, moved: readonly StatusChange[]) {
  const stepIds = new Set(
    moved.flatMap(({ item }) => (item.item.kind === 'regression' ? item.stepId : []))
  )
  if (stepIds.size === 0) return
  const runs = await scope
    .query(StepRun)
    .where('releaseId', release.id)
    .whereIn(
      'id',
      scope
        .table('release_steps')
        .whereIn('id', [...stepIds])
        .where('type', 'regressionTesting')
        .select('step_run_id')
    )
    .exec()
  for (const run of runs) {
    const { handSet = null } = run.facts as Partial<RegressionTestingFacts>
    const left = handSetAfterItemChange(handSet)
    if (left === handSet) continue
    run.facts = { ...run.facts, handSet: left }
    await run.useTransaction(scope.transaction).save()
  }
}
