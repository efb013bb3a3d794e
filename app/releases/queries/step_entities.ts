import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { ReleaseStepEntity } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import { stepEntity } from '../transformers/step_entity.js'
import type { ReleaseRow } from './read_release.js'
import { stepRows } from './step_rows.js'

/** Returns all steps of a release as the API shows them, in the order of the workflow. */
export async function stepEntities(
  scope: Scope,
  release: ReleaseRow
): Promise<ReleaseStepEntity[]> {
  const parts = releaseExtensions.all.flatMap(({ presentation }) => presentation?.steps ?? [])
  const [steps, ...shown] = await Promise.all([
    stepRows(scope, release.id),
    ...parts.map((part) => part.of(scope, release)),
  ])
  await yieldToOthers()
  return steps.map((step) => stepEntity(release, step, shown))
}
