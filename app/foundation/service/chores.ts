import { RETRIES } from '../jobs/retry.js'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { chore, hourly } from '../jobs/handlers.js'
import { PruneFinished } from '../jobs/prune_finished.js'
import { PruneUploads } from '../api/resumable/prune_uploads.js'
import { PruneExpired } from '../api/execution/prune_expired.js'
import { DAY, MINUTE } from '../core/durations.js'
import { markStorage, serviceId } from '../core/files/storage_marks.js'
import { clock, selects } from '../core/services.js'

/** Prunes stored responses, rate limits and request counts. */
export const pruneExpired = hourly('service.spentRequests', (mayContinue) =>
  new PruneExpired(db as never, clock).run(mayContinue)
)

/** Prunes finished jobs. */
export const pruneJobs = hourly('service.finishedJobs', (mayContinue) =>
  new PruneFinished(db as never, clock).run(mayContinue)
)

/** Marks the storage as used by this service, so that no other service removes files from it. */
export const recordStorage = chore('service.storageMark', {
  every: DAY,
  lease: 5 * MINUTE,
  retry: RETRIES.ofPoll,
  async run() {
    await markStorage(await app.container.make('fileStore'), await serviceId(selects))
    return { hasMore: false }
  },
})

/** Prunes expired uploads, finished or not. */
export const pruneUploads = hourly('service.expiredUploads', async (mayContinue) => {
  const parts = await app.container.make('partFiles')
  await new PruneUploads(db as never, clock, parts).run(mayContinue)
})
