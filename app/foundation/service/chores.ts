import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { hourly } from '../agenda/handlers.js'
import { PruneFinished } from '../agenda/prune_finished.js'
import { PruneUploads } from '../api/resumable/prune_uploads.js'
import { PruneExpired } from '../api/execution/prune_expired.js'
import { clock } from '../core/services.js'

/** What requests leave behind. */
export const pruneSpent = hourly('service.spentRequests', (goesOn) =>
  new PruneExpired(db as never, clock).run(goesOn)
)

/** What the agenda leaves behind. */
export const pruneAgenda = hourly('service.finishedEntries', (goesOn) =>
  new PruneFinished(db as never, clock).run(goesOn)
)

/** Uploads that were not finished in time, and what is known of those that were. */
export const pruneUploads = hourly('service.expiredUploads', async (goesOn) => {
  const parts = await app.container.make('partFiles')
  await new PruneUploads(db as never, clock, parts).run(goesOn)
})
