import { ciBuildsById } from '#builds/queries/ci_builds'
import { UNKNOWN_COMMIT } from '#builds/vocabulary'
import type { Scope } from '#foundation/core/scope'
import type { OutBuild } from '#releases/ports'
import { buildOfVersion, storeBuildsById, type StoreBuildRow } from '../queries/store_builds.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'

/** Returns the build that a store shows of a release, else the chosen one; null without either. */
export async function buildInStore(
  scope: Scope,
  { id: releaseId }: { id: string },
  { version, plan, destinationId }: StoreOfRelease
): Promise<StoreBuildRow | null> {
  const numbers = version?.known?.buildNumbers ?? []
  const shown = await buildOfVersion(scope, { releaseId, destinationId }, numbers)
  const [chosen = null] =
    shown || !plan?.buildId ? [] : await storeBuildsById(scope, [plan.buildId])
  return shown ?? chosen
}

/**
 * Returns the builds of a release that stores have in review or with users, if their commit is
 * known.
 */
export async function outBuilds(
  scope: Scope,
  release: { id: string; appId: string }
): Promise<OutBuild[]> {
  const builds: OutBuild[] = []
  for (const store of await storesOfRelease(scope, release)) {
    const standing = standingOf(store)
    if (standing === null) continue
    const build = await buildInStore(scope, release, store)
    if (build === null) continue
    const [ciBuild] = build.ciBuildId === null ? [] : await ciBuildsById(scope, [build.ciBuildId])
    const commit = ciBuild?.commitHash ?? build.commitHash
    if (commit === null || commit === UNKNOWN_COMMIT) continue
    builds.push({ number: build.buildNumber, commit, standing })
  }
  return builds
}

function standingOf({ facts }: StoreOfRelease): OutBuild['standing'] | null {
  const { rollout, submission, storeReview } = facts
  if (rollout.state === 'replaced' || storeReview.state === 'rejected') return null
  if (rollout.state === 'completed') return 'with all users'
  if (rollout.state !== null) return 'rolling out'
  return submission.submitted || submission.underWay ? 'submitted' : null
}
