import { HOUR } from '#foundation/core/durations'
import logger from '@adonisjs/core/services/logger'
import { earlier } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { Problem } from '#foundation/core/problems/problem'
import type { NewRow, Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { buildDownloads } from './tables.js'

/** Requests of a device within this time are one download, in milliseconds. */
const SAME_DOWNLOAD = HOUR

/** A download that has begun, by a link or with a key. */
type BegunDownload = Omit<NewRow<typeof buildDownloads>, 'id' | 'downloadedAt'>

/**
 * Records the download of a build in a transaction of its own. If nothing can be stored, the download
 * still works, and the log of the service says that it was not recorded.
 */
export async function noteDownload(scope: Scope, download: BegunDownload): Promise<void> {
  try {
    await unitOfWork.inTransaction(scope, (writing) => recordDownload(writing, download))
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503) throw error
    logger.warn({ err: error, ...download }, 'a download was not noted')
  }
}

/**
 * Records a download at most once an hour: devices request a file in parts, break off and try again,
 * which is one download.
 */
async function recordDownload(scope: Scope, download: BegunDownload): Promise<void> {
  // A concurrent removal of the build wins.
  if (!(await scope.lock('distribution_builds', download.buildId))) return
  const { installLinkId, keyId, buildId, device } = download
  const since = earlier(scope.now, SAME_DOWNLOAD)
  const known = await scope
    .table('build_downloads')
    .where({ install_link_id: installLinkId, key_id: keyId, build_id: buildId, device })
    .where('downloaded_at', '>', since)
    .select('id')
    .first()
  if (known) return
  await scope.insert(buildDownloads, [{ ...download, id: newId('dl'), downloadedAt: scope.now }])
}
