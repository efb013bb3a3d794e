import { setImmediate as turn } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'

/** An instant at which everything planned is due. */
const PAST = '2020-01-01T00:00:00.000Z'

/** Makes every planned job of an organization due, and lets a worker carry them out. */
export async function workPlanned(organizationId: string): Promise<void> {
  const worker = await app.container.make('jobs.worker')
  await db
    .from('jobs')
    .where({ organization_id: organizationId, state: 'planned' })
    .whereNull('finished_at')
    .update({ visible_at: PAST, due_at: PAST })
  // Direct writes are visible from the next turn of the event loop on.
  await turn()
  await worker.turn()
}
