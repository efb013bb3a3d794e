import { ciBuilds } from '#builds/tables'
import type { ChangePlaces } from '#features/queries/change_holders'
import { visibleBuckets } from '#distribution/queries/find_bucket'
import { distributionBuilds } from '#distribution/tables'
import { as, of, select } from '#foundation/core/database/statement'
import { instant, text, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { publicReleaseId } from '#releases/names/public_release_id'

const COLUMNS = of(ciBuilds, 'b', [
  'id',
  'buildIdentifier',
  'releaseId',
  'branch',
  'commitHash',
  'status',
  'createdAt',
])
const SELECT_BY_RELEASES = select(
  COLUMNS,
  `from ci_builds b where b.organization_id = :org and b.app_id = :appId
    and b.release_id in json(:releaseIds) order by b.created_at desc, b.id desc limit 200`
)
/** Builds of no release: the newest builds of the app whose commit has been seen. */
const SELECT_BY_BRANCHES = select(
  COLUMNS,
  `from (select * from ci_builds n where n.organization_id = :org and n.app_id = :appId
      and n.release_id is null order by n.created_at desc, n.id desc limit 1000) b
  where exists (select 1 from release_commits c
    where c.app_id = b.app_id and c.hash = b.commit_hash)
  order by b.created_at desc, b.id desc limit 200`
)
/** SQL condition: a build is available from its creation until it expires. */
const IS_THERE = `d.status = 'active' and (d.expires_at is null or d.expires_at > :now)`
const BUCKETS = select(
  {
    id: as(text(), 'b.id'),
    name: as(text(), 'b.name'),
    since: as(instant(), 'd.created_at'),
    ciBuildId: as(text(), 'd.ci_build_id'),
  },
  `from distribution_builds d join buckets b on b.id = d.bucket_id
  where d.organization_id = :org and d.ci_build_id in json(:buildIds)
    and d.bucket_id in json(:bucketIds) and ${IS_THERE} order by b.position, b.id, d.created_at`
)
/** Uploads into a bucket that name the CI build they come from. */
const UPLOADED = select(
  of(distributionBuilds, 'd', ['ciBuild', 'createdAt']),
  `from distribution_builds d where d.organization_id = :org and d.bucket_id = :bucketId
    and d.ci_build_id is null and d.ci_build is not null and ${IS_THERE}
  order by d.created_at desc, d.id desc limit 200`
)

type Build = Pick<
  RowOf<typeof ciBuilds>,
  'id' | 'buildIdentifier' | 'releaseId' | 'branch' | 'commitHash' | 'status' | 'createdAt'
>

interface InBucket {
  id: string
  name: string
  since: string
}

/** Maximum number of buckets of an app that are read. */
const MAX_BUCKETS = 50
/** Maximum numbers of uploads that are considered and of builds that are returned, newest first. */
const MAX_UPLOADS = 200
const MAX_BUILDS = 400

/**
 * Returns the builds that contain a change, newest first, with the visible buckets that hold them.
 * A build that CI both reported and uploaded is one build.
 */
export async function buildsWith(
  scope: Scope,
  appId: string,
  { versions, holders, having }: ChangePlaces
) {
  const versionOf = new Map([
    ...versions,
    ...holders.map(({ id, version }) => [id, version] as const),
  ])
  const releaseIds = JSON.stringify([...versionOf.keys()])
  const ofCi: Build[] = [
    ...(await scope.rows(SELECT_BY_RELEASES, { appId, releaseIds })),
    ...(await scope.rows(SELECT_BY_BRANCHES, { appId })),
  ]
  const isKnown = new Set(ofCi.map(nameOf))
  const seen = (await visibleBuckets(scope, appId)).slice(0, MAX_BUCKETS)
  const uploads = await uploadsOf(scope, seen)
  const uploaded = [...uploads].flatMap(([name, { build }]) => (isKnown.has(name) ? [] : build))
  const all = [...ofCi, ...uploaded]
  const commitsWithChange = await having(all.map(({ commitHash }) => commitHash))
  const found = all
    .filter(({ commitHash }) => commitsWithChange.has(commitHash))
    .sort(newestFirst)
    .slice(0, MAX_BUILDS)
  const buildIds = JSON.stringify(found.map(({ id }) => id))
  const bucketIds = JSON.stringify(seen.map(({ id }) => id))
  const inBuckets = Map.groupBy(
    await scope.rows(BUCKETS, { buildIds, bucketIds, now: scope.now }),
    ({ ciBuildId }) => ciBuildId
  )
  return found.map((build) => {
    const { id, releaseId, status: buildStatus, ...shown } = build
    const version = releaseId === null ? undefined : versionOf.get(releaseId)
    const brought = (inBuckets.get(id) ?? []).map(({ ciBuildId: _, ...bucket }) => bucket)
    return {
      id,
      ...shown,
      buildStatus,
      releaseId: version === undefined ? null : publicReleaseId({ appId, version }),
      buckets: eachOnce([...brought, ...(uploads.get(nameOf(build))?.buckets ?? [])]),
    }
  })
}

const eachOnce = (buckets: readonly InBucket[]): InBucket[] =>
  buckets.filter(({ id }, index) => buckets.findIndex((each) => each.id === id) === index)

interface Upload {
  build: Build
  buckets: InBucket[]
}

/** Returns the newest builds uploaded into buckets, by name, with their buckets. */
async function uploadsOf(
  scope: Scope,
  seen: readonly Pick<InBucket, 'id' | 'name'>[]
): Promise<Map<string, Upload>> {
  const uploads = new Map<string, Upload>()
  for (const { id: bucketId, name } of seen) {
    await yieldToOthers()
    for (const { ciBuild, createdAt } of await scope.rows(UPLOADED, { bucketId, now: scope.now })) {
      if (ciBuild === null) continue
      const { id, buildIdentifier, branch, commitHash, buildStatus: status } = ciBuild
      // CI uploads one build to several buckets, once per bucket.
      const key = nameOf({ buildIdentifier, commitHash })
      const build = { id, buildIdentifier, branch, commitHash, status, createdAt, releaseId: null }
      const upload = uploads.get(key) ?? { build, buckets: [] }
      uploads.set(key, upload)
      if (createdAt > upload.build.createdAt) upload.build.createdAt = createdAt
      if (upload.buckets.some((each) => each.id === bucketId)) continue
      upload.buckets.push({ id: bucketId, name, since: createdAt })
    }
  }
  const newest = [...uploads].sort(([, one], [, other]) => newestFirst(one.build, other.build))
  return new Map(newest.slice(0, MAX_UPLOADS))
}

const nameOf = ({ buildIdentifier, commitHash }: Pick<Build, 'buildIdentifier' | 'commitHash'>) =>
  `${buildIdentifier} ${commitHash}`

/** Orders builds, newest first. Builds created at the same time are ordered by id. */
function newestFirst(one: Build, other: Build): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? 1 : -1
  if (one.id === other.id) return 0
  return one.id < other.id ? 1 : -1
}
