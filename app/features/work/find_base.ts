import { as, of, select } from '#foundation/core/database/statement'
import { json, optional } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { pagesOf } from '#integrations/every_page'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { BOUND_VERSION, newestFirst, noRollback, versionOf } from '#releases/queries/version_sql'
import type { ReleaseRow } from '#releases/queries/read_release'
import { releases } from '#releases/tables'
import { tagName, versionIn, type Tagging } from '#releases/names/tag_names'
import { findTag } from '#version_control/repository/find_tag'
import { versionParts } from '#releases/names/version_parts'
import { compareVersions, type Version } from '#workflow/version'
import { releaseFeatures, type CommitRange } from '../tables.js'

const BELOW = select(
  {
    ...of(releases, 'r', ['id', 'version', 'status', 'tag', 'releaseBranch', 'releasedAt']),
    range: as(optional(json<CommitRange>()), 'f.release_range'),
    repository: as(releaseFeatures.columns.repository, 'f.repository'),
  },
  `from releases r left join release_features f on f.release_id = r.id
  where r.organization_id = :org and r.app_id = :appId and r.status <> 'skipped'
    and ${noRollback('r')} and ${versionOf('r')} < ${BOUND_VERSION}
    and (r.released_at is not null or r.kicked_off_at is not null)
  ${newestFirst('r')} limit 20`
)

/** A release that this one may come after, and what is known of its code. */
interface Earlier {
  version: string
  tag: ReleaseRow['tag']
  releaseBranch: string | null
  range: CommitRange | null
}

/** The candidates for comparing a release, in order. */
interface BaseCandidates {
  /** For a hotfix: its base tag. */
  tag: ReleaseRow['baseTag']
  earlier: Earlier[]
  /** Without an earlier release: the version below which the highest tag is taken. */
  below: Version
  app: Tagging
}

/** Returns where the code of the previous release may be found in a repository. */
export async function baseCandidates(
  scope: Scope,
  app: Tagging,
  release: ReleaseRow,
  home: string
): Promise<BaseCandidates> {
  const { appId } = release
  const below = versionParts(release)
  const tag = release.createType === 'hotfix' ? release.baseTag : null
  const earlier = tag ? [] : await scope.rows(BELOW, { appId, ...below })
  // Data of another repository does not apply to this one.
  const known = earlier.map(({ range, repository, ...each }) => ({
    ...each,
    range: repository === null || repository === home ? range : null,
  }))
  return { tag, earlier: known, below, app }
}

/** A commit, and the name it is known by. */
export interface NamedCommit {
  name: string
  sha: string
}

/**
 * Returns the commit of the last release before this one; null if none is known.
 * @throws ProviderError
 */
export async function findBase(
  versionControl: VersionControl,
  { tag, earlier, below, app }: BaseCandidates
): Promise<NamedCommit | null> {
  if (tag) {
    const sha = tag.commitHash ?? (await findTag(versionControl, tag.name))?.sha
    return sha ? { name: tag.name, sha } : null
  }
  for (const each of earlier) {
    const found = await commitOf(versionControl, app, each)
    if (found) return found
  }
  return highestTag(versionControl, app, below)
}

async function commitOf(
  versionControl: VersionControl,
  app: Tagging,
  { version, tag, releaseBranch, range }: Earlier
): Promise<NamedCommit | null> {
  if (tag) return { name: tag.name, sha: tag.commitHash }
  const name = tagName(app, version)
  const tagged = await findTag(versionControl, name)
  if (tagged) return { name, sha: tagged.sha }
  if (releaseBranch !== null) {
    const branch = await versionControl.getBranch(releaseBranch)
    if (branch) return { name: releaseBranch, sha: branch.sha }
  }
  // Its branch is gone: the last observed head counts.
  return range && { name: releaseBranch ?? version, sha: range.head }
}

async function highestTag(
  versionControl: VersionControl,
  app: Tagging,
  below: Version
): Promise<NamedCommit | null> {
  let best: (NamedCommit & { version: Version }) | null = null
  for await (const tags of pagesOf((cursor) => versionControl.listTags('', cursor))) {
    for (const { name, sha } of tags) {
      const version = versionIn(app, name)
      if (!version || compareVersions(version, below) >= 0) continue
      if (!best || compareVersions(version, best.version) > 0) best = { name, sha, version }
    }
  }
  return best && { name: best.name, sha: best.sha }
}
