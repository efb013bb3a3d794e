import { compilePattern } from '#apps/patterns/pattern'
import type { BranchSettings } from '#apps/settings'
import type Release from '#releases/models/release'
import type { AppRepository } from './app_repository.js'

/** The start of a branch: the tip of another branch, or the commit of a tag. */
export interface BranchStart {
  branch: string | null
  tag: string | null
  /** The commit of the tag, if the request named one. */
  commit: string | null
}

/** The branch of a release, and what it begins at. */
interface WantedBranch {
  name: string
  from: BranchStart
}

/**
 * Returns the branch that the code of a release is on: its own, or the one that all releases share;
 * null if neither is known.
 */
export function codeBranchOf(
  { branches }: Pick<AppRepository, 'branches'>,
  { releaseBranch, createType }: Pick<Release, 'releaseBranch' | 'createType'>
): string | null {
  if (releaseBranch !== null) return releaseBranch
  if (!branches || createType === 'rollback') return null
  const source = patternOf(branches, createType)
  return source === null ? null : compilePattern(source, 'branch').render({})
}

const patternOf = (
  { allPattern, hotfixPattern }: BranchSettings,
  createType: Release['createType']
) => (createType === 'hotfix' ? hotfixPattern : null) ?? allPattern

/**
 * Returns the branch that a release is to have by the app's settings, or why its name cannot be
 * formed. Null if none is cut: without version control or a pattern, for a branch that all releases
 * share, and for rollbacks, which ship an existing build.
 */
export function branchOf(
  { branches }: Pick<AppRepository, 'branches'>,
  release: Pick<Release, 'createType' | 'version' | 'releaseName' | 'baseTag'>
): WantedBranch | { problem: string } | null {
  if (!branches || release.createType === 'rollback') return null
  const isHotfix = release.createType === 'hotfix'
  const source = patternOf(branches, release.createType)
  if (source === null) return null
  const pattern = compilePattern(source, 'branch')
  if (pattern.render({}) !== null) return null
  const { version, releaseName, baseTag } = release
  const name = pattern.render({ version, ...(releaseName ? { releaseName } : {}) })
  if (name === null) return { problem: `The branch ${source} needs a release name.` }
  const tag = isHotfix ? baseTag : null
  return {
    name,
    from: {
      branch: tag ? null : branches.workingBranch,
      tag: tag?.name ?? null,
      commit: tag?.commitHash ?? null,
    },
  }
}
