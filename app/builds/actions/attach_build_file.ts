import type { SentFile } from '#foundation/api/routes/sent_file'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { findInstallation } from '#integrations/queries/find_installation'
import { findCiBuild, type CiBuildRow } from '../queries/ci_builds.js'
import { putFile } from '../store_files.js'
import { notifyBuildSubscribers } from './record_ci_build.js'

/** The ids in the path of a build. */
export interface CiBuildPlace {
  appId: string
  installationId: string
  buildId: string
}

/** Attaches a file to a build of custom CI. It replaces a file of the same name. */
export class AttachBuildFile {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, conflict */
  async handle(
    { appId, installationId, buildId }: CiBuildPlace,
    { file, contentType, fileName }: SentFile
  ): Promise<CiBuildRow> {
    const { scope } = this
    await findInstallation(scope, appId, installationId, 'generic-ci')
    const build = await findCiBuild(scope, installationId, buildId)
    const attached = { kind: 'additional' as const, fileName, contentType, stored: file }
    const isNew = await putFile(scope, build.id, attached, { others: 'replaced' })
    if (isNew) {
      const { size, sha256 } = file
      await recordAudit(scope, {
        action: 'ciBuild.fileAttached',
        subject: build.id,
        data: { appId, installationId, fileName, size, sha256 },
      })
      await notifyBuildSubscribers(scope, build)
    }
    return build
  }
}
