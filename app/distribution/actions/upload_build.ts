import type { CIBuildInfo } from '#builds/ci_build_info'
import { plainBranch } from '#builds/plain_branch'
import { isFinalStatus } from '#builds/vocabulary'
import type { CIBuildEntity } from '#builds/entities'
import { referenceFile } from '#foundation/core/files/held_files'
import type { NewFile } from '#foundation/core/files/stored_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { addBuild } from '../add_build.js'
import { requireLevel } from '../bucket_levels.js'
import type { BuildDistroBuildEntity } from '../entities.js'
import type Bucket from '../models/bucket.js'
import { findBucket } from '../queries/find_bucket.js'
import type { UploadBuildInput } from '../validators/build_input.js'

/** A stored file, with the data that was sent with it. */
export interface UploadedBuild extends UploadBuildInput {
  file: NewFile
  contentType: string
  fileName: string
}

/** Puts an uploaded file into a bucket as a build. */
export class UploadBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * @param baseUrl the address at which the requester reaches the service
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
    requireLevel(scope, bucket, 'uploader')
    requireActive(bucket)
    const { file, contentType, fileName } = upload
    const ciBuild = upload.ciBuildInfo ? ciBuildOf(scope, upload.ciBuildInfo, upload) : null
    const { size, sha256 } = file
    const fileId = await referenceFile(scope, file)
    const artifact = { kind: 'artifact' as const, fileName, contentType, size, sha256, fileId }
    const added = {
      ciBuild,
      ciBuildId: null,
      branch: ciBuild?.branch ?? null,
      source: 'upload' as const,
      testerNotes: upload.testerNotes ?? null,
      tags: upload.tags,
      createdBy: scope.actor,
    }
    return addBuild(scope, bucket, added, [artifact], baseUrl)
  }
}

/** @throws conflict */
export function requireActive(bucket: Bucket): void {
  if (bucket.status === 'active') return
  throw refuse('conflict', {
    detail: `The bucket ${bucket.name} is archived.`,
    currentStatus: bucket.status,
    allowedActions: ['update'],
  })
}

/** Returns the CI build that an upload names. */
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
    branch: plainBranch(branch),
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
