import { DAY } from '../core/durations.js'
import type { Database } from '@adonisjs/lucid/database'
import { from } from '../core/database/from.js'
import { earlier, type Clock } from '../core/clock.js'
import { inBatches } from '../core/database/in_batches.js'

/** Retention of finished commands and of their idempotency keys, in milliseconds. */
const FINISHED_FOR = 30 * DAY

/** Removes jobs that were done or given up long ago. */
export class PruneFinished {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to remove, or it may not go on. */
  async run(mayContinue = () => true): Promise<void> {
    const before = earlier(this.clock.now(), FINISHED_FOR)
    await inBatches(this.database, mayContinue, async (client, most) => {
      const some = from(client, 'jobs').where('finished_at', '<=', before).select('id').limit(most)
      return Number(await from(client, 'jobs').whereIn('id', some).delete())
    })
  }
}
