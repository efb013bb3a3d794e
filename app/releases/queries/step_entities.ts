import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepEntity } from '../entities.js'
import { releaseParts, type ShownSteps } from '../parts.js'
import { stepEntity } from '../transformers/step_entity.js'
import type { ReleaseRow } from './read_release.js'
import { stepRows } from './step_rows.js'

/** All steps of a release in the order of the workflow. */
export async function stepEntities(
  scope: Scope,
  release: ReleaseRow
): Promise<ReleaseStepEntity[]> {
  const steps = await stepRows(scope, release.id)
  const shown: ShownSteps[] = []
  for (const part of releaseParts.parts) {
    if (part.steps) shown.push(await part.steps.of(scope, release))
  }
  return steps.map((step) => stepEntity(release, step, shown))
}
