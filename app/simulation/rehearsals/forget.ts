import db from '@adonisjs/lucid/services/db'
import { hourly } from '#foundation/jobs/handlers'
import { earlier } from '#foundation/core/clock'
import { from } from '#foundation/core/database/from'
import { inBatches } from '#foundation/core/database/in_batches'
import { clock } from '#foundation/core/services'
import { KEPT_FOR } from './vocabulary.js'

/** Deletes rehearsals that are older than `KEPT_FOR`. */
export const forgetRehearsals = hourly('simulation.forgetRehearsals', (mayContinue) => {
  const before = earlier(clock.now(), KEPT_FOR)
  return inBatches(db as never, mayContinue, async (client, most) => {
    const old = from(client, 'rehearsals')
      .where('created_at', '<=', before)
      .select('id')
      .limit(most)
    return Number(await from(client, 'rehearsals').whereIn('id', old).delete())
  })
})
