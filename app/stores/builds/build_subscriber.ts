import type { BuildSubscriber } from '#builds/subscribers'
import type { StoreBuilds } from '#builds/extensions'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseStillThere } from '#releases/queries/find_release'
import { storeBuildFacts, RecordStoreBuild } from '../actions/record_store_build.js'
import { chooseInStores } from './choose_build.js'
import { storeBuildsOfCi, unmatchedBuilds } from '../queries/store_builds.js'
import { storesAndBeta } from '../queries/store_targets.js'

/**
 * Matches a reported CI build to builds that stores already had, and chooses builds again: it may
 * be the new release candidate.
 */
export const followCiBuild: BuildSubscriber = async (
  scope,
  { appId, buildIdentifier, commitHash, releaseId }
) => {
  const identity = { number: buildIdentifier, commit: commitHash }
  const record = new RecordStoreBuild(scope)
  for (const build of await unmatchedBuilds(scope, appId, identity)) {
    const matched = await record.match(build)
    if (matched.ciBuildId === null || matched.releaseId === build.releaseId) continue
    // The CI build gave the build its release.
    const release = await releaseStillThere(scope, appId, matched.releaseId!)
    const targets = await storesAndBeta(scope, appId)
    const target = targets.find(({ integrationId }) => integrationId === build.integrationId)
    if (release && target) await storeBuildFacts(scope, release, target)
  }
  const release = releaseId === null ? null : await releaseStillThere(scope, appId, releaseId)
  if (!release || !isOpen(release)) return
  await chooseInStores(scope, release)
}

/** Returns the store builds that CI builds are shown with. */
export const shownBuilds: StoreBuilds = storeBuildsOfCi
