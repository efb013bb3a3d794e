import type { SentFile } from '#foundation/api/routes/sent_file'
import { referenceFile, dereferenceFiles } from '#foundation/core/files/held_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { requireLevel } from '../bucket_levels.js'
import type { BuildDistroBuildEntity } from '../entities.js'
import {
  buildEntity,
  filesOf,
  findBuild,
  stateMembers,
  statusAt,
} from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { distributionFiles } from '../tables.js'
import { requireActive } from './upload_build.js'

/** A build of a bucket of an app. */
export interface BuildPlace {
  appId: string
  bucketId: string
  buildDistroBuildId: string
}

/** The maximum number of files of a build in addition to its artifact. */
const MAX_FILES = 100

/** Attaches a file to a build, replacing a file of the same name. */
export class AttachFile {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing, conflict when the build has expired or is full */
  async handle(
    { appId, bucketId, buildDistroBuildId }: BuildPlace,
    { file, contentType, fileName }: SentFile,
    baseUrl: string
  ): Promise<BuildDistroBuildEntity> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    requireLevel(scope, bucket, 'uploader')
    requireActive(bucket)
    const build = await findBuild(scope, bucket, buildDistroBuildId)
    const status = statusAt(build, scope.now)
    if (status === 'expired') {
      throw refuse('conflict', { detail: 'The build has expired.', ...stateMembers(status) })
    }
    const files = (await filesOf(scope, [build.id])).filter(({ kind }) => kind === 'additional')
    const before = files.find((each) => each.fileName === fileName)
    if (!before && files.length >= MAX_FILES) {
      throw refuse('conflict', { detail: `A build has at most ${MAX_FILES} additional files.` })
    }
    const { size, sha256 } = file
    const fileId = await referenceFile(scope, file)
    const values = { contentType, size, sha256, fileId, createdAt: scope.now }
    if (before) {
      await scope.update(distributionFiles, { id: before.id }, values)
      await dereferenceFiles(scope, before.fileId === null ? [] : [before.fileId])
    } else {
      const own = { id: newId('dfile'), buildId: build.id, kind: 'additional' as const, fileName }
      await scope.insert(distributionFiles, [{ ...own, ...values }])
    }
    await recordAudit(scope, {
      action: 'build.fileAttached',
      subject: build.id,
      data: { appId, bucketId, fileName, size, sha256 },
    })
    return buildEntity(scope, build, baseUrl)
  }
}
