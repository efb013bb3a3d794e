import { reachedFrom } from '#features/code/reach'
import { releaseFeaturesOf } from '#features/queries/release_features'
import { seenCommits } from '#features/queries/seen_commits'
import type { Scope } from '#foundation/core/scope'
import { storesPort, type OutBuild } from '#releases/ports'
import type { IncludedCode } from '../tables.js'

/** The code a request brought in; `unseen` if it is too new to have been seen there. */
type Included = IncludedCode | 'unseen' | null

/**
 * Returns a function that finds the build which users get, or a store reviews, without the code of
 * a request; null for none. A build whose commit was not seen in the release is not judged.
 */
export async function missingInBuild(
  scope: Scope,
  release: { id: string; appId: string }
): Promise<(included: Included) => OutBuild | null> {
  const builds = await storesPort.provided.outBuilds(scope, release)
  if (builds.length === 0) return () => null
  const commits = (await seenCommits(scope, release.id)).filter(({ side }) => side === 'release')
  const base = (await releaseFeaturesOf(scope, release.id))?.releaseRange?.base ?? null
  const known = new Set(commits.map(({ hash }) => hash))
  const judged = builds
    .filter(({ commit }) => known.has(commit) || commit === base)
    .map((build) => ({ build, has: reachedFrom(commits, [build.commit]) }))
  return (included) => {
    if (included === null) return null
    // Builds are made of commits that were seen, so none has this code.
    if (included === 'unseen') return judged[0]?.build ?? null
    // Code recorded against another base may precede this one, and be in all builds.
    const isSameBase = included.base === base
    const own = included.commits.filter(({ hash }) => isSameBase || known.has(hash))
    const missing = judged.find(({ has }) => own.some(({ hash }) => !has.has(hash)))
    return missing?.build ?? null
  }
}

/** Returns the end of a sentence about a fix: that it is not in a build. */
export const notIn = ({ number, standing }: OutBuild): string =>
  `not in build ${number}, which is ${standing}`
