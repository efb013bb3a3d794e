import { ciBuilds } from '#builds/tables'
import { builtWith, type Holder } from '#features/queries/change_holders'
import type { FoundCommit } from '#features/queries/find_change'
import { as, of, select } from '#foundation/core/database/statement'
import { text, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/public_release_id'

const COLUMNS = of(ciBuilds, 'b', [
  'id',
  'buildIdentifier',
  'releaseId',
  'branch',
  'commitHash',
  'status',
  'createdAt',
])
const OF_RELEASES = select(
  COLUMNS,
  `from ci_builds b where b.organization_id = :org and b.app_id = :appId
    and b.release_id in json(:releaseIds) order by b.created_at desc, b.id desc limit 200`
)
/** Of no release: the newest builds of the app that are of a commit somebody has seen. */
const OF_BRANCHES = select(
  {
    ...COLUMNS,
    seenIn: as(text(), 'c.release_id'),
    side: as(text<'release' | 'working'>(), 'c.side'),
  },
  // Crossed, so that builds are looked up first, which are few beside commits.
  `from (select * from ci_builds n where n.organization_id = :org and n.app_id = :appId
      and n.release_id is null order by n.created_at desc, n.id desc limit 1000) b
    cross join release_commits c
  where b.organization_id = :org and c.app_id = b.app_id and c.hash = b.commit_hash
    and c.release_id in json(:releaseIds)
  order by b.created_at desc, b.id desc limit 200`
)
const BUCKETS = select(
  {
    id: as(text(), 'b.id'),
    name: as(text(), 'b.name'),
    ciBuildId: as(text(), 'd.ci_build_id'),
  },
  `from distribution_builds d join buckets b on b.id = d.bucket_id
  where d.organization_id = :org and d.ci_build_id in json(:buildIds)
    and b.org_wide_access_enabled = true order by b.position, b.id`
)

type Build = Pick<
  RowOf<typeof ciBuilds>,
  'id' | 'buildIdentifier' | 'releaseId' | 'branch' | 'commitHash' | 'status' | 'createdAt'
>

/** The builds that were made with a change, the newest first, and the buckets that have them. */
export async function buildsWith(
  scope: Scope,
  appId: string,
  holders: readonly Holder[],
  commits: readonly FoundCommit[]
) {
  const byId = new Map(holders.map((each) => [each.id, each]))
  const found: Build[] = [
    ...(await ofReleases(scope, appId, holders, commits)),
    ...(await ofBranches(scope, appId, commits)),
  ].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  const buildIds = JSON.stringify(found.map(({ id }) => id))
  const buckets = found.length === 0 ? [] : await scope.rows(BUCKETS, { buildIds })
  return found.map(({ id, releaseId, status: buildStatus, ...build }) => ({
    id,
    ...build,
    buildStatus,
    releaseId:
      releaseId === null ? null : publicReleaseId({ appId, version: byId.get(releaseId)!.version }),
    buckets: buckets
      .filter(({ ciBuildId }) => ciBuildId === id)
      .map((bucket) => ({ id: bucket.id, name: bucket.name })),
  }))
}

async function ofReleases(
  scope: Scope,
  appId: string,
  holders: readonly Holder[],
  commits: readonly FoundCommit[]
): Promise<Build[]> {
  const howOf = new Map(holders.map(({ id, how }) => [id, how]))
  const releaseIds = JSON.stringify([...howOf.keys()])
  const rows = await scope.rows(OF_RELEASES, { appId, releaseIds })
  const hashes = commits.map(({ hash }) => hash)
  const has = remembered((releaseId: string, commitHash: string) =>
    // What was there before the release is in everything that is known to be of it.
    builtWith(
      scope,
      releaseId,
      'release',
      commitHash,
      howOf.get(releaseId) === 'before' ? null : hashes
    )
  )
  const found: Build[] = []
  for (const build of rows) if (await has(build.releaseId!, build.commitHash)) found.push(build)
  return found
}

async function ofBranches(
  scope: Scope,
  appId: string,
  commits: readonly FoundCommit[]
): Promise<Build[]> {
  const releaseIds = JSON.stringify([...new Set(commits.map(({ releaseId }) => releaseId))])
  const rows = await scope.rows(OF_BRANCHES, { appId, releaseIds })
  const found = new Map<string, Build>()
  for (const { seenIn, side, ...build } of rows) {
    if (found.has(build.id)) continue
    const hashes = commits
      .filter((each) => each.releaseId === seenIn && each.side === side)
      .map(({ hash }) => hash)
    if (hashes.length === 0) continue
    if (await builtWith(scope, seenIn, side, build.commitHash, hashes)) found.set(build.id, build)
  }
  return [...found.values()]
}

function remembered(ask: (...names: [string, string]) => Promise<boolean>) {
  const known = new Map<string, Promise<boolean>>()
  return (...names: [string, string]) => {
    const name = names.join(' ')
    let answer = known.get(name)
    if (!answer) known.set(name, (answer = ask(...names)))
    return answer
  }
}
