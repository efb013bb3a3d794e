import { appSummary } from '#apps/queries/app_summary'
import { isFinalStatus } from '#builds/vocabulary'
import type { CIBuildEntity } from '#builds/entities'
import { holdFile } from '#foundation/core/files/held_files'
import type { NewFile } from '#foundation/core/files/stored_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { demandLevel } from '../bucket_levels.js'
import type { BuildDistroBuildEntity } from '../entities.js'
import type Bucket from '../models/bucket.js'
import { buildEntity, findBuild } from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { distributionBuilds, distributionFiles } from '../tables.js'
import type { CIBuildInfo, UploadBuildInput } from '../validators/build_input.js'

/** A file as it was stored, and what came with it. */
export interface UploadedBuild extends UploadBuildInput {
  file: NewFile
  contentType: string
  fileName: string
}

/** Puts an uploaded file into a bucket as a build. */
export class UploadBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * @param baseUrl the address the asker reaches the service at
   * @throws not_found, bucket_level_missing, conflict when the bucket is archived
   */
  async handle(
    appId: string,
    bucketId: string,
    upload: UploadedBuild,
    baseUrl: string
  ): Promise<BuildDistroBuildEntity> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    demandLevel(scope, bucket, 'uploader')
    demandActive(bucket)
    const { file, contentType, fileName } = upload
    const ciBuild = upload.ciBuildInfo ? ciBuildOf(scope, upload.ciBuildInfo, upload) : null
    const id = newId('build')
    const own = {
      id,
      appId,
      bucketId,
      status: 'active' as const,
      testerNotes: upload.testerNotes ?? null,
      ciBuild,
      branch: ciBuild?.branch ?? null,
      version: null,
      buildNumber: null,
      source: 'upload' as const,
      createdBy: scope.actor,
      expiresAt: null,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    await scope.insert(distributionBuilds, [own])
    const fileId = await holdFile(scope, file)
    const { size, sha256 } = file
    const row = { fileName, contentType, size, sha256, fileId, createdAt: scope.now }
    await scope.insert(distributionFiles, [
      { id: newId('dfile'), buildId: id, kind: 'artifact', ...row },
    ])
    const entity = await buildEntity(scope, await findBuild(scope, bucket, id), baseUrl)
    this.#record(bucket, entity)
    return entity
  }

  /** In this order: the build can be seen, then its artifact can be had. */
  #record(bucket: Bucket, build: BuildDistroBuildEntity) {
    const { scope } = this
    const { id, name, type, status } = bucket
    const titles = {
      'buildDistro.newBuildAvailable': `${build.artifactFileName} is in ${name}`,
      'buildDistro.buildArtifactAvailable': `${build.artifactFileName} can be downloaded`,
    }
    for (const [eventType, title] of Object.entries(titles)) {
      scope.events.record({
        type: eventType,
        title,
        entityKey: `build:${build.id}`,
        appId: bucket.appId,
        webhook: {
          resource: () => `/app/${bucket.appId}/bucket/${id}/build/${build.id}`,
          members: async () => ({
            app: await appSummary(scope, bucket.appId),
            bucket: { id, name, type, status },
            build,
          }),
        },
      })
    }
  }
}

/** @throws conflict */
export function demandActive(bucket: Bucket): void {
  if (bucket.status === 'active') return
  throw refuse('conflict', {
    detail: `The bucket ${bucket.name} is archived.`,
    currentStatus: bucket.status,
    allowedActions: ['update'],
  })
}

/** The CI build that an upload tells of. */
function ciBuildOf(
  scope: Scope,
  info: CIBuildInfo,
  { fileName, file }: Pick<UploadedBuild, 'fileName' | 'file'>
): CIBuildEntity {
  const { status = 'success', startedAt = scope.now, branch, ...rest } = info
  return {
    id: newId('ci'),
    buildIdentifier: rest.buildIdentifier,
    buildStatus: status,
    branch: branch.replace(/^refs\/(heads|remotes\/[^/]+)\//, ''),
    commitHash: rest.commitHash,
    commitMessage: rest.commitMessage ?? null,
    commitAuthor: rest.commitAuthor ?? null,
    commitUrl: rest.commitUrl ?? null,
    url: rest.url ?? null,
    integrationId: rest.integrationId,
    workflowData: rest.workflowData,
    startedAt,
    finishedAt: isFinalStatus(status) ? scope.now : null,
    artifacts: [{ fileName, size: file.size }],
    appStoreBuild: null,
    releaseId: null,
  }
}
