import { candidateBuilds } from '#builds/release_candidate'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { planningPort } from '#releases/ports'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { changePlan } from '../decisions/change_plan.js'
import { unsubmittedOf } from '../decisions/possible.js'
import { isUsable, storeBuildsOfRelease, type StoreBuildRow } from '../queries/store_builds.js'
import { storesOfRelease } from '../queries/store_state.js'
import { storesOf, type StoreTarget } from '../queries/store_targets.js'

/**
 * Selects for a release the newest build in a store that can be submitted, unless a person chose
 * one, the version is submitted and not rejected, or no automation may choose. If CI builds the
 * app, only uploads of the release candidate count: builds of other branches have the same version.
 * @returns whether the selected build changed
 */
export async function chooseNewest(
  scope: Scope,
  release: Release,
  target: StoreTarget
): Promise<boolean> {
  const stores = await storesOfRelease(scope, release)
  const store = stores.find((each) => each.target.integrationId === target.integrationId)
  if (!store || store.plan?.byHand) return false
  if (store.facts.submission.underWay || unsubmittedOf([store]).length === 0) return false
  const builds = await storeBuildsOfRelease(scope, release.id)
  const candidates = await candidateBuilds(scope, release)
  const isOwn = ({ ciBuildId }: StoreBuildRow) =>
    candidates === null || (ciBuildId !== null && candidates.includes(ciBuildId))
  const usable = builds.filter(
    (build) => build.destinationId === target.destinationId && isUsable(build) && isOwn(build)
  )
  const newest = usable.reduce<StoreBuildRow | null>(
    (best, build) => (best === null || isNewer(build, best) ? build : best),
    null
  )
  if ((newest?.id ?? null) === (store.plan?.buildId ?? null)) return false
  const askedBy = await planningPort.provided.choosesBuilds(scope, release)
  if (askedBy === null) return false
  await changePlan(scope, release.id, target, { buildId: newest?.id ?? null })
  const none = `no build ${candidates ? 'of the release candidate ' : ''}can be submitted any more`
  const what = newest ? `build ${newest.buildNumber}` : none
  await planningPort.provided.ended(scope, release, {
    action: 'selectBuild',
    askedBy,
    result: 'done',
    what,
  })
  return true
}

/**
 * Chooses builds again in each store of a release, after its candidate or the permission to choose
 * changed.
 */
export async function chooseInStores(scope: Scope, release: Release): Promise<void> {
  let hasChosen = false
  for (const target of await storesOf(scope, release.appId)) {
    if (await chooseNewest(scope, release, target)) hasChosen = true
  }
  if (!hasChosen) return
  await storeStepFacts(scope, release)
  scope.touch(release)
}

/** Compares by time of upload, so the order of reports does not matter. */
function isNewer(build: StoreBuildRow, other: StoreBuildRow): boolean {
  if (build.uploadedAt !== other.uploadedAt) return build.uploadedAt > other.uploadedAt
  return build.buildNumber.localeCompare(other.buildNumber, 'en', { numeric: true }) > 0
}
