import { newId } from '#foundation/core/ids'
import { change } from '#foundation/core/database/statement'
import type { Actor } from '#foundation/core/principal'
import type { NewRow, Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from './entities.js'
import type Bucket from './models/bucket.js'
import { buildEntity, findBuild } from './queries/build_entities.js'
import { recordAvailability } from './record_availability.js'
import { requestReading } from './reading/reading_command.js'
import { planRetention } from './retention/plan_retention.js'
import { distributionBuilds, distributionFiles } from './tables.js'
import { setTags } from './testers/tags.js'

const COUNT = change(
  `update buckets set build_count = build_count + :builds
  where organization_id = :org and id = :bucketId`
)

/** The data of a build that is added to a bucket. */
type AddedBuild = Pick<
  NewRow<typeof distributionBuilds>,
  'ciBuild' | 'ciBuildId' | 'branch' | 'source' | 'testerNotes'
> & { createdBy: Actor; tags?: readonly string[] }

/** A file of an added build; without `fileId` it is not stored yet. */
export type AddedFile = Pick<
  NewRow<typeof distributionFiles>,
  'kind' | 'fileName' | 'contentType' | 'size' | 'sha256' | 'fileId'
>

/**
 * Adds a build and its files to a bucket and announces it: first that it is visible, then, once its
 * artifact is stored, that it can be downloaded.
 * @param baseUrl the address at which the requester reaches the service
 */
export async function addBuild(
  scope: Scope,
  bucket: Bucket,
  { tags = [], ...added }: AddedBuild,
  files: readonly AddedFile[],
  baseUrl: string
): Promise<BuildDistroBuildEntity> {
  const id = newId('build')
  const artifact = files.find(({ kind, fileId }) => kind === 'artifact' && fileId !== null)
  const isStored = artifact !== undefined
  await scope.insert(distributionBuilds, [
    {
      ...added,
      id,
      appId: bucket.appId,
      bucketId: bucket.id,
      status: isStored ? 'active' : 'pending',
      version: null,
      buildNumber: null,
      expiresAt: null,
      createdAt: scope.now,
      updatedAt: scope.now,
    },
  ])
  await scope.insert(
    distributionFiles,
    files.map((file) => ({ ...file, id: newId('dfile'), buildId: id, createdAt: scope.now }))
  )
  await setTags(scope, { id, bucketId: bucket.id }, tags)
  await countBuilds(scope, bucket.id, 1)
  if (artifact) await requestReading(scope, id, artifact.fileId!)
  const entity = await buildEntity(scope, await findBuild(scope, bucket, id), baseUrl)
  recordAvailability(scope, 'buildDistro.newBuildAvailable', bucket, entity)
  if (isStored) {
    recordAvailability(scope, 'buildDistro.buildArtifactAvailable', bucket, entity)
    if (bucket.retention?.enabled) await planRetention(scope, bucket)
  }
  return entity
}

/** Adds to the stored build count of a bucket, so that reads need not count. */
export async function countBuilds(scope: Scope, bucketId: string, builds: number): Promise<void> {
  await scope.change(COUNT, { bucketId, builds })
}
