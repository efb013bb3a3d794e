import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { clearProgressMarks } from '#releases/lifecycle/clear_progress_marks'
import { settle } from '#releases/lifecycle/settle'
import { illegalStatus, isLegalItemStatus } from '#releases/engine/item_statuses'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { failedUnderVerdict } from '#releases/engine/item_step_rules'
import { storedParts, type StoredParts } from '#releases/queries/load_facts'
import { recordVerdictStands } from '#releases/record_verdict'
import type Release from '#releases/models/release'
import type { ItemStatus } from '#releases/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import { findReleaseItems } from '../queries/find_release_items.js'
import { changesStatus, writeStatuses, type StatusChange } from './write_statuses.js'

/** @throws invalid_input unless the item may be set to the status. */
export function demandLegalStatus(item: ChecklistItemEntity, status: ItemStatus): void {
  if (isLegalItemStatus(item.kind, status)) return
  throw refuseField('/status', 'illegal_status', illegalStatus(item.kind, status))
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
  const known = await storedParts(scope, release, steps)
  tellVerdicts(scope, release, known, moved)
  const { corrected } = await settle(scope, release, known)
  if (!corrected) return written
  const current = await findReleaseItems(scope, release, { itemIds: written.map(({ id }) => id) })
  const byId = new Map(current.map(({ item }) => [item.id, item]))
  return written.map(({ id }) => byId.get(id)!)
}

/** A failure after a person's verdict changes no status: the timeline tells that the verdict stands. */
function tellVerdicts(
  scope: Scope,
  release: Release,
  { steps, facts: { items = [] } }: StoredParts,
  moved: readonly StatusChange[]
): void {
  const isFailure = ({ status }: StatusChange) => status === 'failed' || status === 'blocked'
  const failed = new Set(moved.filter(isFailure).map(({ current }) => current.stepId))
  for (const step of steps) {
    if (step.type !== 'regressionTesting' || !failed.has(step.id)) continue
    const failedItems = failedUnderVerdict(
      step.facts as RegressionTestingFacts,
      items.filter(({ stepId }) => stepId === step.id)
    )
    if (failedItems > 0) recordVerdictStands(scope, release, step, failedItems)
  }
}
