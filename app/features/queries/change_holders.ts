import { as, select, type RowOfSelect } from '#foundation/core/database/statement'
import { instant, integer, json, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { newestFirst } from '#releases/queries/version_sql'
import { normalVersion, parseVersion } from '#workflow/version'
import { releaseFeatures } from '../tables.js'
import { Question } from './change_question.js'
import type { FoundCommit } from './find_change.js'

const RELEASES = select(
  {
    id: as(text(), 'r.id'),
    version: as(text(), 'r.version'),
    createType: as(text(), 'r.create_type'),
    status: as(text(), 'r.status'),
    phase: as(text(), 'r.phase'),
    kickedOffAt: as(optional(instant()), 'r.kicked_off_at'),
    releasedAt: as(optional(instant()), 'r.released_at'),
    rollback: as(optional(json<{ sourceVersion: string }>()), 'r.rollback'),
    seen: as(integer(), 'case when f.release_range is null then 0 else 1 end'),
    apart: as(integer(), 'case when f.working_range is null then 0 else 1 end'),
    edge: as(releaseFeatures.columns.releaseEdge, 'f.release_edge'),
    workingEdge: as(releaseFeatures.columns.workingEdge, 'f.working_edge'),
  },
  `from releases r left join release_features f on f.release_id = r.id
  where r.organization_id = :org and r.app_id = :appId and r.status <> 'skipped'
  ${newestFirst('r')}`
)

type Release = RowOfSelect<typeof RELEASES>

/** A release that has a change. */
interface Holder extends Pick<
  Release,
  'id' | 'version' | 'status' | 'phase' | 'kickedOffAt' | 'releasedAt'
> {
  /** The origin of the change: this release, or an earlier one. */
  how: 'introduced' | 'before'
}

/** The releases of an app in which a change was observed. */
export interface ChangePlaces {
  /** The releases that have it, the newest first. */
  holders: Holder[]
  /** Versions of releases that have one of the commits in their range, by their ids. */
  versions: ReadonlyMap<string, string>
  /** Returns those of the given commits that contain the change. */
  having(hashes: readonly string[]): Promise<ReadonlySet<string>>
}

/**
 * Finds the releases and builds that contain a change: they descend from one of its commits, and
 * from no commit that reverts it, whichever release either was seen in. A rollback contains the
 * same as the version that it ships again.
 */
export async function placesOf(
  scope: Scope,
  appId: string,
  commits: readonly FoundCommit[]
): Promise<ChangePlaces> {
  const all = (await scope.rows(RELEASES, { appId })).reverse()
  const ranks = new Map(all.map(({ id }, rank) => [id, rank]))
  const first = Math.min(...commits.map(({ releaseId }) => ranks.get(releaseId) ?? Infinity))
  // A plain release below all that have one of the commits contains none of them.
  const requested = all.filter(
    ({ seen, createType }, rank) => seen && (createType !== 'release' || rank >= first)
  )
  const question = await Question.of(
    scope,
    appId,
    requested,
    commits.map(({ hash }) => hash)
  )
  const holders: Holder[] = []
  const having = new Set<string>()
  for (const release of all) {
    const how = release.rollback
      ? having.has(normalOf(release.rollback.sourceVersion))
        ? 'before'
        : null
      : await question.howOf(release.id)
    if (!how) continue
    holders.push({ ...briefly(release), how })
    having.add(normalOf(release.version))
  }
  const named = new Set(commits.map(({ releaseId }) => releaseId))
  return {
    holders: holders.reverse(),
    versions: new Map(
      all.flatMap(({ id, version }) => (named.has(id) ? [[id, version] as const] : []))
    ),
    having: (hashes) => question.having(hashes),
  }
}

/** Returns the normal form of a version, or the text itself if it is none. */
function normalOf(written: string): string {
  const version = parseVersion(written)
  return version === null ? written : normalVersion(version)
}

const briefly = ({ id, version, status, phase, kickedOffAt, releasedAt }: Release) => ({
  id,
  version,
  status,
  phase,
  kickedOffAt,
  releasedAt,
})

/**
 * Returns a question about which of the given commits the named releases contain. It covers the
 * releases of the app from the lowest to the highest of these, and nothing below.
 */
export async function questionOf(
  scope: Scope,
  appId: string,
  releaseIds: readonly string[],
  hashes: readonly string[]
): Promise<Question> {
  const all = (await scope.rows(RELEASES, { appId })).reverse()
  const named = new Set(releaseIds)
  const ranks = all.flatMap(({ id }, rank) => (named.has(id) ? [rank] : []))
  const requested = all.slice(Math.min(...ranks), Math.max(...ranks) + 1).filter(({ seen }) => seen)
  return Question.of(scope, appId, requested, hashes)
}
