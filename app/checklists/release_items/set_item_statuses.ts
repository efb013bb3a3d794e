import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { clearProgressMarks } from '#releases/lifecycle/clear_progress_marks'
import { settle } from '#releases/lifecycle/settle'
import { isLegalItemStatus, LEGAL_ITEM_STATUSES } from '#releases/engine/item_statuses'
import { storedParts } from '#releases/queries/load_facts'
import type Release from '#releases/models/release'
import type { ItemStatus } from '#releases/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import { findReleaseItems } from '../queries/find_release_items.js'
import { changesStatus, writeStatuses, type StatusChange } from './write_statuses.js'

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
  const moved = changes.filter(changesStatus)
  if (moved.length === 0) return written
  const regression = moved.filter(({ current }) => current.item.kind === 'regression')
  const stepIds = new Set(regression.map(({ current }) => current.stepId))
  const steps = clearProgressMarks(scope, release, stepIds)
  const { corrected } = await settle(scope, release, await storedParts(scope, release, steps))
  if (!corrected) return written
  const current = await findReleaseItems(scope, release, { itemIds: written.map(({ id }) => id) })
  const byId = new Map(current.map(({ item }) => [item.id, item]))
  return written.map(({ id }) => byId.get(id)!)
}
