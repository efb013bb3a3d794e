import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { groupsOf, peopleOf } from '#organizations/queries/people'
import type { BuildDistroBucketEntity } from '../entities.js'
import type Bucket from '../models/bucket.js'
import { distributionBuilds } from '../tables.js'

const LATEST = select(
  {
    ...of(distributionBuilds, 'b', ['id', 'bucketId', 'version', 'createdAt']),
    artifactFileName: as(text(), 'f.file_name'),
  },
  `from buckets k
    join distribution_builds b on b.id = (
      select n.id from distribution_builds n where n.bucket_id = k.id
      order by n.created_at desc, n.id desc limit 1)
    join distribution_files f on f.build_id = b.id and f.kind = 'artifact'
  where k.organization_id = :org and k.id in json(:ids)`
)

/** Buckets as the API shows them, in a fixed number of queries. */
export async function bucketEntities(
  scope: Scope,
  buckets: readonly Bucket[]
): Promise<BuildDistroBucketEntity[]> {
  const members = buckets.flatMap((bucket) => bucket.members)
  const idsOf = (wanted: 'user' | 'group') =>
    members.flatMap(({ type, id }) => (type === wanted ? id : []))
  const ids = JSON.stringify(buckets.map(({ id }) => id))
  const [people, groups, latest] = await Promise.all([
    peopleOf(scope, idsOf('user')),
    groupsOf(scope, idsOf('group')),
    scope.rows(LATEST, { ids }),
  ])
  const latestOf = new Map(latest.map(({ bucketId, ...build }) => [bucketId, build]))
  const nameOf = (type: 'user' | 'group', id: string) =>
    type === 'user' ? people.get(id)?.email : groups.get(id)?.name
  return buckets.map((bucket) => ({
    id: bucket.id,
    appId: bucket.appId,
    name: bucket.name,
    type: bucket.type,
    status: bucket.status,
    orgWideAccessEnabled: bucket.orgWideAccessEnabled,
    notificationsEnabled: bucket.notificationsEnabled,
    publicLinkEnabled: bucket.publicLinkEnabled,
    members: bucket.members.flatMap(({ type, id, permissionLevel }) => {
      const name = nameOf(type, id)
      return name === undefined ? [] : [{ id, type, name, permissionLevel }]
    }),
    rules: bucket.rules,
    automations: automationsOf(bucket),
    buildCount: bucket.buildCount,
    latestBuild: latestOf.get(bucket.id) ?? null,
    createdAt: bucket.createdAt,
    updatedAt: bucket.updatedAt,
  }))
}

export async function bucketEntity(scope: Scope, bucket: Bucket): Promise<BuildDistroBucketEntity> {
  const [entity] = await bucketEntities(scope, [bucket])
  return entity
}

function automationsOf({ retention }: Bucket): BuildDistroBucketEntity['automations'] {
  if (!retention) return []
  const { enabled, ...config } = retention
  return [{ type: 'expireOldBuilds', enabled, config }]
}
