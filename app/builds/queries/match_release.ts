import { findApp } from '#apps/queries/find_app'
import { compilePattern } from '#apps/patterns/pattern'
import type { BranchSettings } from '#apps/settings'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { BOUND_VERSION, newest, versionOf } from '#releases/queries/version_sql'
import { parseVersion } from '#workflow/version'

/** The release that a build is for, and its version. */
export interface MatchedRelease {
  /** Internal id; null while no release has the version. */
  releaseId: string | null
  /** In normal form. */
  version: string | null
}

const ON_BRANCH = select(
  of(releases, 'r', ['id', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.release_branch = :branch
  order by case r.status when 'active' then 0 when 'upcoming' then 1 else 2 end,
    ${newest('r')} limit 1`
)
const AT_VERSION = select(
  of(releases, 'r', ['id', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and ${versionOf('r')} = ${BOUND_VERSION}`
)

/** Returns the release of a version, which may not exist yet. */
export async function releaseOfVersion(
  scope: Scope,
  appId: string,
  version: string
): Promise<MatchedRelease> {
  const [release] = await scope.rows(AT_VERSION, { appId, ...parseVersion(version)! })
  return { releaseId: release?.id ?? null, version }
}

/**
 * Returns the release that a branch belongs to: the one with this release branch, or else the one
 * whose version the app's release branch patterns find in the name.
 */
export async function releaseOfBranch(
  scope: Scope,
  appId: string,
  branch: string
): Promise<MatchedRelease> {
  const [release] = await scope.rows(ON_BRANCH, { appId, branch })
  if (release) return { releaseId: release.id, version: release.version }
  const { branchSettings } = await findApp(scope, appId)
  const version = versionOfBranch(branchSettings, branch)
  return version === null ? { releaseId: null, version } : releaseOfVersion(scope, appId, version)
}

/** Returns the version that a release branch pattern finds in a name; null if none matches. */
function versionOfBranch(settings: readonly BranchSettings[], branch: string): string | null {
  for (const { allPattern, hotfixPattern } of settings) {
    for (const pattern of [allPattern, hotfixPattern]) {
      const version = pattern === null ? undefined : compilePattern(pattern).match(branch)?.version
      if (version !== undefined) return version
    }
  }
  return null
}
