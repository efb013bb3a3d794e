import type { Scope } from '#foundation/core/scope'
import type { Release } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import type { FoundRelease } from './read_release.js'
import { releaseEntities } from './release_entities.js'
import { stepEntities } from './step_entities.js'

/** Returns a release with its steps and the details of extensions. */
export async function releaseDetail(scope: Scope, found: FoundRelease): Promise<Release> {
  const parts = releaseExtensions.all.flatMap(({ presentation }) => presentation?.detail ?? [])
  const [[entity], steps, ...added] = await Promise.all([
    releaseEntities(scope, [found]),
    stepEntities(scope, found.release),
    ...parts.map((detail) => detail.of(scope, found.release)),
  ])
  return Object.assign({}, entity, { steps }, ...added) as Release
}
