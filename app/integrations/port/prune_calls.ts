import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import { later, type Clock } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import { transact } from '#foundation/core/database/transact'
import { DAY } from '#foundation/core/durations'
import { forgetDeliveries } from '../callbacks/take_callback.js'

/** Retention of the integration log and of the health of hosts, in milliseconds. */
export const CALLS_KEPT_FOR = 14 * DAY

/** A budget nobody used for so long is whole again: no provider counts by longer windows. */
const BUDGETS_KEPT_FOR = 2 * DAY

/** Removes what calls to providers left behind long ago. */
export class PruneCalls {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to remove, or it may not go on. */
  async run(goesOn = () => true): Promise<void> {
    const before = later(this.clock.now(), -CALLS_KEPT_FOR)
    await inBatches(this.database, goesOn, async (client, most) => {
      const some = from(client, 'integration_calls')
        .where('called_at', '<=', before)
        .select('id')
        .limit(most)
      return Number(await from(client, 'integration_calls').whereIn('id', some).delete())
    })
    await inBatches(this.database, goesOn, (client, most) =>
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
