import { dereferenceFiles } from '#foundation/core/files/held_files'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { lockBuilds } from '../lock_builds.js'
import { countBuilds } from '../add_build.js'
import { requireLevel } from '../bucket_levels.js'
import { removeUnusedFiles } from '../remove_unused_files.js'
import { filesOf, findBuild } from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { notifySubscribers } from '../extensions.js'
import { forgetReadings } from '../reading/reading_command.js'
import type { BuildPlace } from './attach_file.js'

/** Removes a build with its files. */
export class DeleteBuild {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, bucket_level_missing */
  async handle({ appId, bucketId, buildDistroBuildId }: BuildPlace): Promise<void> {
    const { scope } = this
    const bucket = await findBucket(scope, appId, bucketId)
    requireLevel(scope, bucket, 'admin')
    const build = await findBuild(scope, bucket, buildDistroBuildId)
    await removeBuilds(scope, [build])
    await countBuilds(scope, bucketId, -1)
    await notifySubscribers(scope, appId)
    await recordAudit(scope, {
      action: 'build.deleted',
      subject: build.id,
      data: { appId, bucketId },
    })
  }
}

/**
 * Removes builds with their files, and the files of their CI builds if nothing else needs those. The
 * caller updates the build count of the bucket.
 */
export async function removeBuilds(
  scope: Scope,
  builds: readonly { id: string; ciBuildId: string | null }[]
): Promise<void> {
  const ids = builds.map(({ id }) => id)
  await lockBuilds(scope, ids)
  const files = await filesOf(scope, ids)
  await forgetReadings(scope, ids)
  await scope.table('distribution_files').whereIn('build_id', ids).delete()
  await scope.table('distribution_builds').whereIn('id', ids).delete()
  await dereferenceFiles(
    scope,
    files.flatMap(({ fileId }) => fileId ?? [])
  )
  await removeUnusedFiles(scope, builds)
}
