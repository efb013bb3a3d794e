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

/** @throws invalid_input unless the status is legal for the item's kind */
export function requireLegalStatus(item: ChecklistItemEntity, status: ItemStatus): void {
  if (isLegalItemStatus(item.kind, status)) return
  throw refuseField('/status', 'illegal_status', illegalStatus(item.kind, status))
}

/**
 * Sets statuses and comments of items of one open release, with one event per changed status. Values
 * that do not change are not written.
 * @returns the items as they were written, in the order given
 */
export async function setItemStatuses(
  scope: Scope,
  release: Release,
  changes: readonly StatusChange[]
): Promise<ChecklistItemEntity[]> {
  const written = await writeStatuses(scope, release, changes)
  const effective = changes.filter(changesStatus)
  if (effective.length === 0) return written
  const regression = effective.filter(({ current }) => current.item.kind === 'regression')
  const stepIds = new Set(regression.map(({ current }) => current.stepId))
  await clearProgressMarks(scope, release, stepIds)
  await reportVerdicts(scope, release, effective)
  scope.touch(release)
  return written
}

/**
 * Records that the verdict of a person still holds where items fail after it, since such a failure
 * does not change the status of the step.
 */
async function reportVerdicts(
  scope: Scope,
  release: Release,
  changes: readonly StatusChange[]
): Promise<void> {
  const isFailure = ({ status }: StatusChange) => status === 'failed' || status === 'blocked'
  const failed = new Set(changes.filter(isFailure).map(({ current }) => current.stepId))
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
