import { releaseItems } from '#checklists/queries/release_items'
import { isItemDone } from '#checklists/vocabulary'
import type { ChecklistItemEntity } from '#checklists/entities'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepEntity } from '../entities.js'
import { stepEntity } from '../transformers/step_entity.js'
import type { ReleaseFields } from './read_release.js'
import { stepRows, type StepRow } from './load_facts.js'

/** All steps of a release in the order of the workflow. */
export async function stepEntities(
  scope: Scope,
  release: ReleaseFields
): Promise<ReleaseStepEntity[]> {
  const [steps, items] = [await stepRows(scope, release.id), await releaseItems(scope, release)]
  const byStep = new Map<string, ChecklistItemEntity[]>()
  for (const { stepId, item } of items) {
    const held = byStep.get(stepId)
    if (held) held.push(item)
    else byStep.set(stepId, [item])
  }
  return steps.map((step) => present(release, step, byStep.get(step.id) ?? []))
}

function present(release: ReleaseFields, step: StepRow, items: ChecklistItemEntity[]) {
  const done = items.filter((item) => item.status && isItemDone(item.kind, item.status.type))
  return stepEntity(release, step, {
    items,
    counts: { total: items.length, done: done.length },
  })
}
