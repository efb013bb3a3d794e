import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow } from './queries/ci_builds.js'

/** The data of a build before it is recorded. */
type SeenBuild = Pick<CiBuildRow, 'branch' | 'baseBranch' | 'workflowId' | 'workflowName'>

/**
 * Says which builds of an app somebody waits for, so that its CI is looked at for them; null if
 * nobody waits for any.
 */
export type BuildInterest = (
  scope: Scope,
  appId: string
) => Promise<((build: SeenBuild) => Promise<boolean>) | null>

export const buildInterests = new ExtensionPoint<BuildInterest>()

/** Returns whether anybody waits for builds of an app; null if nobody waits for any. */
export async function interestIn(scope: Scope, appId: string): ReturnType<BuildInterest> {
  const asked = await Promise.all(buildInterests.all.map((interest) => interest(scope, appId)))
  const interests = asked.filter((each) => each !== null)
  if (interests.length === 0) return null
  return async (build) => {
    for (const takes of interests) if (await takes(build)) return true
    return false
  }
}
