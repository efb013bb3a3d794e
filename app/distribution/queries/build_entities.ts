import { plainBranch } from '#builds/plain_branch'
import { ciBuildEntities } from '#builds/queries/ci_build_entities'
import { ciBuildsById } from '#builds/queries/ci_builds'
import { of, select, as, variants } from '#foundation/core/database/statement'
import { json, optional, text } from '#foundation/core/database/table'
import type { AppPlatform } from '#apps/vocabulary'
import { storeIntegrations } from '#integrations/queries/app_integrations'
import type { PageRequest } from '#foundation/api/pages'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ArchiveMetadata } from '#app-archives/metadata'
import type { BuildDistroBuildEntity } from '../entities.js'
import { contentsOf } from './build_contents.js'
import type Bucket from '../models/bucket.js'
import { metadataWarnings } from '../reading/metadata_warnings.js'
import { distributionBuilds, distributionFiles } from '../tables.js'
import { testersOf } from '../testers/queries.js'
import { tagsOf } from '../testers/tags.js'
import type { BuildFilters } from '../validators/build_input.js'
import type { BuildStatus, MetadataStatus } from '../vocabulary.js'

const BUILDS = select(
  {
    ...of(distributionBuilds, 'b'),
    bucketName: as(text(), 'k.name'),
    appPlatform: as(text<AppPlatform>(), 'a.platform'),
    metadataStatus: as(optional(text<MetadataStatus>()), 'r.status'),
    metadataFailure: as(optional(text()), 'r.failure'),
    metadata: as(optional(json<ArchiveMetadata>()), 'r.metadata'),
  },
  `from distribution_builds b join buckets k on k.id = b.bucket_id
  join apps a on a.organization_id = b.organization_id and a.id = b.app_id
  left join build_readings r on r.build_id = b.id
  where b.organization_id = :org and b.bucket_id = :bucketId`
)
const buildsWith = variants(BUILDS, '')
const FILES = select(
  of(distributionFiles, 'f'),
  `from distribution_files f
  where f.organization_id = :org and f.build_id in json(:ids) order by f.created_at, f.id`
)

export type BuildRow = Awaited<ReturnType<typeof listBuilds>>[number]

/** Returns the download path of a build's artifact, below the address of the service. */
const downloadPath = ({ appId, bucketId, id }: Pick<BuildRow, 'appId' | 'bucketId' | 'id'>) =>
  `/app/${appId}/bucket/${bucketId}/build/${id}/download`

/** Returns the status of a build at a time: an active build is expired after its end. */
export function statusAt(
  { status, expiresAt }: Pick<BuildRow, 'status' | 'expiresAt'>,
  now: string
): BuildStatus {
  return status === 'active' && expiresAt !== null && expiresAt <= now ? 'expired' : status
}

/** Returns the members of a 409 about a build: its status and the allowed actions. */
export function stateMembers(status: BuildStatus) {
  const allowedActions =
    status === 'expired' ? ['update', 'delete'] : ['update', 'attach', 'delete']
  return { currentStatus: status, allowedActions }
}

/** SQL conditions that are equivalent to `statusAt`. */
const STATUS_CONDITIONS: Record<BuildStatus, string> = {
  pending: `and b.status = 'pending'`,
  processing: `and b.status = 'processing'`,
  failed: `and b.status = 'failed'`,
  active: `and b.status = 'active' and (b.expires_at is null or b.expires_at > :now)`,
  expired: `and (b.status = 'expired' or (b.status = 'active' and b.expires_at <= :now))`,
}

export const buildKeys = ({ createdAt, id }: BuildRow) => [createdAt, id]

/** Returns the builds of a bucket, newest first. */
export function listBuilds(
  scope: Scope,
  bucket: Bucket,
  { status, branch, createdAfter, tag, q }: BuildFilters,
  { limit, after }: PageRequest
) {
  const conditions: string[] = []
  const bindings: Record<string, string | number> = { bucketId: bucket.id, limit }
  const add = (condition: string, values: Record<string, string | number>) => {
    conditions.push(condition)
    Object.assign(bindings, values)
  }
  if (status)
    add(
      STATUS_CONDITIONS[status],
      status === 'active' || status === 'expired' ? { now: scope.now } : {}
    )
  if (branch) add('and b.branch = :branch', { branch: plainBranch(branch) })
  if (tag) add(TAGGED, { tag })
  if (q) add(MATCHING, { q: containing(q) })
  if (createdAfter) add('and b.created_at > :createdAfter', { createdAfter })
  if (after) {
    const [lastCreatedAt, lastId] = after
    add('and (b.created_at, b.id) < (:lastCreatedAt, :lastId)', { lastCreatedAt, lastId })
  }
  const end = 'order by b.created_at desc, b.id desc limit :limit'
  return scope.rows(buildsWith(`${conditions.join(' ')} ${end}`), bindings)
}

/** A search covers only so many of the newest builds, which bounds its cost. */
const SEARCHED = 10_000
const MATCHING = `and b.id in (select n.id from distribution_builds n
    where n.organization_id = :org and n.bucket_id = :bucketId
    order by n.created_at desc, n.id desc limit ${SEARCHED})
  and (lower(b.version) like :q escape '!' or lower(b.build_number) like :q escape '!'
    or lower(b.branch) like :q escape '!' or lower(b.tester_notes) like :q escape '!'
    or exists (select 1 from distribution_files f where f.build_id = b.id
      and f.kind = 'artifact' and lower(f.file_name) like :q escape '!')
    or exists (select 1 from build_tags s where s.build_id = b.id
      and lower(s.tag) like :q escape '!'))`
const TAGGED = `and b.id in (select s.build_id from build_tags s
  where s.organization_id = :org and s.bucket_id = :bucketId and s.tag = :tag)`

/** Returns a LIKE pattern for texts that contain another, with its special characters escaped. */
const containing = (sought: string) => `%${sought.toLowerCase().replace(/[!%_]/g, '!$&')}%`

const ONE = buildsWith('and b.id = :id')

/** @throws not_found when the bucket holds no such build */
export async function findBuild(scope: Scope, bucket: Bucket, id: string): Promise<BuildRow> {
  const [build] = await scope.rows(ONE, { bucketId: bucket.id, id })
  if (!build) throw refuse('not_found')
  return build
}

/** Returns the files of builds, oldest first. */
export function filesOf(scope: Scope, buildIds: readonly string[]) {
  return scope.rows(FILES, { ids: JSON.stringify(buildIds) })
}

/**
 * Returns builds as the API shows them.
 * @param baseUrl at which the requester reaches the service
 */
export async function buildEntities(
  scope: Scope,
  builds: readonly BuildRow[],
  baseUrl: string
): Promise<BuildDistroBuildEntity[]> {
  const ids = builds.map(({ id }) => id)
  const [files, tags, testers, ciBuilds, bundleIds] = await Promise.all([
    filesOf(scope, ids),
    tagsOf(scope, ids),
    testersOf(scope, ids),
    ciBuildsOf(scope, builds),
    bundleIdsOf(scope, builds),
  ])
  const byBuild = Map.groupBy(files, ({ buildId }) => buildId)
  return builds.map((build) => {
    const own = byBuild.get(build.id) ?? []
    const artifact = own.find(({ kind }) => kind === 'artifact')
    const status = statusAt(build, scope.now)
    return {
      id: build.id,
      bucketId: build.bucketId,
      bucketName: build.bucketName,
      appId: build.appId,
      status,
      artifactFileName: artifact?.fileName ?? '',
      fileSize: artifact?.size ?? 0,
      testerNotes: build.testerNotes,
      tags: tags(build.id),
      ciBuild: build.ciBuildId === null ? build.ciBuild : (ciBuilds.get(build.ciBuildId) ?? null),
      additionalArtifacts: own
        .filter(({ kind }) => kind === 'additional')
        .map(({ fileName, size, createdAt }) => ({ fileName, size, createdAt })),
      testers: testers(build.id),
      version: build.version,
      buildNumber: build.buildNumber,
      source: build.source,
      createdAt: build.createdAt,
      createdBy: build.createdBy,
      downloadUrl: status === 'active' ? `${baseUrl}${downloadPath(build)}` : null,
      expiresAt: build.expiresAt,
      metadataStatus: build.metadataStatus ?? 'pending',
      metadataFailure: build.metadataFailure,
      metadata: build.metadata && {
        ...build.metadata,
        // Readings of older versions of the service lack it.
        profileFailure: build.metadata.profileFailure ?? null,
        sha256: artifact?.sha256 ?? '',
        warnings: metadataWarnings(build.metadata, {
          platform: build.appPlatform,
          bundleIds: bundleIds.get(build.appId) ?? [],
        }),
      },
    }
  })
}

export async function buildEntity(
  scope: Scope,
  build: BuildRow,
  baseUrl: string
): Promise<BuildDistroBuildEntity> {
  const [entity] = await buildEntities(scope, [build], baseUrl)
  return { ...entity, contents: await contentsOf(scope, build.id) }
}

/** Returns the CI builds from which builds come, by id, in their present state. */
async function ciBuildsOf(scope: Scope, builds: readonly BuildRow[]) {
  const ids = builds.flatMap(({ ciBuildId }) => ciBuildId ?? [])
  const entities = await ciBuildEntities(scope, await ciBuildsById(scope, ids))
  return new Map(entities.map((each) => [each.id, each]))
}

/** Returns the bundle ids in the stores for the apps of builds that were read, by app. */
async function bundleIdsOf(
  scope: Scope,
  builds: readonly BuildRow[]
): Promise<Map<string, string[]>> {
  const read = builds.filter(({ metadata }) => metadata !== null)
  const appIds = [...new Set(read.map(({ appId }) => appId))]
  if (appIds.length === 0) return new Map()
  const stores = await storeIntegrations(scope, appIds)
  const idsOf = (wanted: string) =>
    stores.flatMap(({ appId, data: { bundleId } }) =>
      appId === wanted && typeof bundleId === 'string' ? bundleId : []
    )
  return new Map(appIds.map((appId) => [appId, idsOf(appId)]))
}
