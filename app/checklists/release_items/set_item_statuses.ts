import { refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { clearProgressMarks } from '#releases/lifecycle/clear_progress_marks'
import { illegalStatus, isLegalItemStatus } from '#releases/engine/item_statuses'
import type { RegressionTestingFacts } from '#releases/engine/facts'
import { failedUnderVerdict } from '#releases/engine/item_step_rules'
import { loadFacts } from '#releases/queries/load_facts'
import { recordVerdictStands } from '#releases/timeline/record_verdict'
import type Release from '#releases/models/release'
import type { ItemStatus } from '#releases/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import { changesStatus, writeStatuses, type StatusChange } from './write_statuses.js'

/** @throws invalid_input unless the item may be set to the status. */
export function demandLegalStatus(item: ChecklistItemEntity, status: ItemStatus): void {
  if (isLegalItemStatus(item.kind, status)) return
  throw refuseField('/status', 'illegal_status', illegalStatus(item.kind, status))
}

/**
 * Sets statuses and comments of items of one open release: one event per status that
 * differs. What is the same already is not written.
 * @returns the items as they were written, in the order given
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
  await clearProgressMarks(scope, release, stepIds)
  await reportVerdicts(scope, release, moved)
  scope.touch(release)
  return written
}

/**
 * A failure after a person's verdict changes no status: the timeline records that the verdict
 * stands.
 */
async function reportVerdicts(
  scope: Scope,
  release: Release,
  moved: readonly StatusChange[]
): Promise<void> {
  const isFailure = ({ status }: StatusChange) => status === 'failed' || status === 'blocked'
  const failed = new Set(moved.filter(isFailure).map(({ current }) => current.stepId))
  if (failed.size === 0) return
  const { steps, facts } = await loadFacts(scope, release)
  for (const step of steps) {
    if (step.type !== 'regressionTesting' || !failed.has(step.id)) continue
    const failedItems = failedUnderVerdict(
      step.facts as RegressionTestingFacts,
      facts.items.filter(({ stepId }) => stepId === step.id)
    )
    if (failedItems > 0) recordVerdictStands(scope, release, step, failedItems)
  }
}
