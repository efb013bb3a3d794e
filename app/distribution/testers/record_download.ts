import { later } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { buildDownloads } from './tables.js'

/** Within which a device that asks again goes on with the same download, in milliseconds. */
const SAME_DOWNLOAD = 3_600_000

/**
 * Notes that somebody downloads a build. Devices ask in parts, break off and ask again: one that
 * did so within the hour is not counted anew.
 */
export async function recordDownload(
  scope: Scope,
  download: {
    bucketId: string
    buildId: string
    linkId: string
    userId: string | null
    device: string | null
  }
): Promise<void> {
  // Whoever removes the build at this time has the last word.
  if (!(await scope.lock('distribution_builds', download.buildId))) return
  const { linkId, buildId, device } = download
  const since = later(scope.now, -SAME_DOWNLOAD)
  const known = await scope
    .table('build_downloads')
    .where({ link_id: linkId, build_id: buildId, device })
    .where('downloaded_at', '>', since)
    .select('id')
    .first()
  if (known) return
  await scope.insert(buildDownloads, [{ ...download, id: newId('dl'), downloadedAt: scope.now }])
}
