import type { StoredFile } from '#foundation/api/operation/response'
import { storedKey } from '#foundation/core/files/stored_key'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findInstallation } from '#integrations/queries/find_installation'
import { allowedActions } from '../actions/record_ci_build.js'
import type { CiBuildPlace } from '../actions/attach_build_file.js'
import type { CiFileKind } from '../vocabulary.js'
import { ciFilesOf, findCiBuild } from './ci_builds.js'

/**
 * Finds the artifact of a custom build, or a file attached to it.
 * @throws not_found; conflict when the integration is not custom CI; file_gone
 */
export async function findBuildFile(
  scope: Scope,
  { appId, installationId, buildId }: CiBuildPlace,
  wanted: { kind: CiFileKind; fileName?: string }
): Promise<StoredFile> {
  await findInstallation(scope, appId, installationId, 'generic-ci')
  const build = await findCiBuild(scope, installationId, buildId)
  const file = (await ciFilesOf(scope, [build.id])).find(
    ({ kind, fileName }) =>
      kind === wanted.kind && (wanted.fileName === undefined || fileName === wanted.fileName)
  )
  if (!file) throw refuse('not_found')
  const key = file.fileId === null ? null : await storedKey(scope, file.fileId)
  if (key === null || file.sha256 === null) {
    throw refuse('file_gone', {
      detail: `The file ${file.fileName} of the build was removed when it expired.`,
      currentStatus: build.status,
      allowedActions: allowedActions(build.status),
    })
  }
  const { size, sha256, contentType, fileName } = file
  return { key, size: size ?? 0, sha256, contentType, fileName }
}
