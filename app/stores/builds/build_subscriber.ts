import type { BuildSubscriber } from '#builds/subscribers'
import type { StoreBuilds } from '#builds/extensions'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseStillThere } from '#releases/queries/find_release'
import { storeBuildFacts, RecordStoreBuild } from '../actions/record_store_build.js'
import { chooseInStores } from './choose_build.js'
import { storeBuildsOfCi, unmatchedBuilds } from '../queries/store_builds.js'
import { storesAndBeta } from '../queries/store_targets.js'

/**
 * A CI build may be one that a store had before it was reported, and may be the candidate that a
 * release ships from now on.
 */
export const followCiBuild: BuildSubscriber = async (
  scope,
  { appId, buildIdentifier, commitHash, releaseId }
) => {
  const wanted = { number: buildIdentifier, commit: commitHash }
  const record = new RecordStoreBuild(scope)
  for (const build of await unmatchedBuilds(scope, appId, wanted)) {
    const matched = await record.match(build)
    if (matched.ciBuildId === null || matched.releaseId === build.releaseId) continue
    // The release is known by the build of CI.
    const release = await releaseStillThere(scope, appId, matched.releaseId!)
    const targets = await storesAndBeta(scope, appId)
    const target = targets.find(({ integrationId }) => integrationId === build.integrationId)
    if (release && target) await storeBuildFacts(scope, release, target)
  }
  const release = releaseId === null ? null : await releaseStillThere(scope, appId, releaseId)
  if (!release || !isOpen(release)) return
  await chooseInStores(scope, release)
}

/** The store builds that builds of CI show. */
export const shownBuilds: StoreBuilds = storeBuildsOfCi
