import type { Scope } from '#foundation/core/scope'
import type { Release } from '../entities.js'
import { releaseParts } from '../parts.js'
import type { FoundRelease } from './read_release.js'
import { releaseEntities } from './release_entities.js'
import { stepEntities } from './step_entities.js'

/** A release with its steps and what parts add to its details. */
export async function releaseDetail(scope: Scope, found: FoundRelease): Promise<Release> {
  const [entity] = await releaseEntities(scope, [found])
  const whole = { ...entity, steps: await stepEntities(scope, found.release) }
  for (const { detail } of releaseParts.parts) {
    if (detail) Object.assign(whole, await detail.of(scope, found.release))
  }
  return whole as Release
}
