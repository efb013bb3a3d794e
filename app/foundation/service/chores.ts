import db from '@adonisjs/lucid/services/db'
import { chore } from '../agenda/handlers.js'
import { PruneFinished } from '../agenda/prune_finished.js'
import { PruneExpired } from '../api/execution/prune_expired.js'
import { clock } from '../core/services.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const hourly = { every: HOUR, lease: 5 * MINUTE, retry: { steps: [MINUTE, 10 * MINUTE, HOUR] } }

/** What requests leave behind. */
export const pruneSpent = chore('service.spentRequests', {
  ...hourly,
  async run(goesOn) {
    await new PruneExpired(db as never, clock).run(goesOn)
    return { hasMore: !goesOn() }
  },
})

/** What the agenda leaves behind. */
export const pruneAgenda = chore('service.finishedEntries', {
  ...hourly,
  async run(goesOn) {
    await new PruneFinished(db as never, clock).run(goesOn)
    return { hasMore: !goesOn() }
  },
})
