import type { Scope } from '#foundation/core/scope'
import { buildsOfRelease } from '../candidate_runs.js'
import type { CIBuildEntity } from '../entities.js'
import { ciBuildEntities } from './ci_build_entities.js'
import { ciBuildsById } from './ci_builds.js'

/** Maximum number of builds of a release that are shown. */
export const MAX_SHOWN = 20

/** Returns the latest builds of a release's runs, the last active one first. */
export async function releaseBuilds(scope: Scope, releaseId: string): Promise<CIBuildEntity[]> {
  const ids = (await buildsOfRelease(scope, releaseId)).slice(0, MAX_SHOWN)
  const found = await ciBuildsById(scope, ids)
  return ciBuildEntities(
    scope,
    found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  )
}
