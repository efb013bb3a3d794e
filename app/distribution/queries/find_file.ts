import type { StoredFile } from '#foundation/api/operation/response'
import { storedKey } from '#foundation/core/files/stored_key'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { BuildPlace } from '../actions/attach_file.js'
import type { FileKind } from '../vocabulary.js'
import { filesOf, findBuild, stateMembers, statusAt } from './build_entities.js'
import { findBucket } from './find_bucket.js'

/**
 * Returns the artifact of a build, or a file attached to it.
 * @throws not_found; file_gone when the build has expired
 */
export async function findFile(
  scope: Scope,
  { appId, bucketId, buildDistroBuildId }: BuildPlace,
  wanted: { kind: FileKind; fileName?: string }
): Promise<StoredFile> {
  const bucket = await findBucket(scope, appId, bucketId)
  const build = await findBuild(scope, bucket, buildDistroBuildId)
  const file = (await filesOf(scope, [build.id])).find(
    ({ kind, fileName }) =>
      kind === wanted.kind && (wanted.fileName === undefined || fileName === wanted.fileName)
  )
  if (!file) throw refuse('not_found')
  const status = statusAt(build, scope.now)
  const state = stateMembers(status)
  if (status !== 'active') {
    throw refuse('file_gone', { detail: `The build is ${status}.`, ...state })
  }
  const key = file.fileId === null ? null : await storedKey(scope, file.fileId)
  if (key === null) {
    throw refuse('file_gone', { detail: 'The file has not been stored yet.', ...state })
  }
  const { size, sha256, contentType, fileName } = file
  return { key, size, sha256, contentType, fileName }
}
