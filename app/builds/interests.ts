import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { CiBuildRow } from './queries/ci_builds.js'

/** The data of a build before it is recorded. */
type SeenBuild = Pick<CiBuildRow, 'branch' | 'baseBranch' | 'workflowId' | 'workflowName'>

/**
 * Returns a predicate for the builds of an app that an extension waits for, or null if it waits for
 * none. The CI of an app is polled only while there is such an interest.
 */
export type BuildInterest = (
  scope: Scope,
  appId: string
) => Promise<((build: SeenBuild) => Promise<boolean>) | null>

export const buildInterests = new ExtensionPoint<BuildInterest>()

/** Combines the interests of all extensions in builds of an app; null if there is none. */
export async function interestIn(scope: Scope, appId: string): ReturnType<BuildInterest> {
  const results = await Promise.all(buildInterests.all.map((interest) => interest(scope, appId)))
  const predicates = results.filter((each) => each !== null)
  if (predicates.length === 0) return null
  return async (build) => {
    for (const isWanted of predicates) if (await isWanted(build)) return true
    return false
  }
}
