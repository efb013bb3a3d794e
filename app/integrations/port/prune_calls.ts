import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import { earlier, type Clock } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import { transact } from '#foundation/core/database/transact'
import { DAY } from '#foundation/core/durations'
import { forgetDeliveries } from '../callbacks/take_callback.js'

/** Retention of the integration log and of the health of hosts, in milliseconds. */
export const CALLS_KEPT_FOR = 14 * DAY

/**
 * Retention of unused budgets, in milliseconds: by then they are full again, as no provider counts
 * over longer windows.
 */
const BUDGETS_KEPT_FOR = 2 * DAY

/** Removes old records of calls to providers, and other expired rows of the module. */
export class PruneCalls {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to remove, or `mayContinue` returns false. */
  async run(mayContinue = () => true): Promise<void> {
    const before = earlier(this.clock.now(), CALLS_KEPT_FOR)
    await inBatches(this.database, mayContinue, async (client, most) => {
      const old = from(client, 'integration_calls')
        .where('called_at', '<=', before)
        .select('id')
        .limit(most)
      return Number(await from(client, 'integration_calls').whereIn('id', old).delete())
    })
    await inBatches(this.database, mayContinue, (client, most) =>
      forgetDeliveries(client, this.clock.now(), most)
    )
    const unusedSince = this.clock.milliseconds() - BUDGETS_KEPT_FOR
    await transact(this.database, async (client) => {
      await from(client, 'connection_healths').where('updated_at', '<=', before).delete()
      await from(client, 'oauth_starts').where('expires_at', '<=', this.clock.now()).delete()
      await from(client, 'provider_budgets').where('used_at', '<=', unusedSince).delete()
    })
  }
}
