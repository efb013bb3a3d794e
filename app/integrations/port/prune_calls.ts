import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import { transact } from '#foundation/core/database/transact'
import { DAY } from '#foundation/core/durations'
import { forgetDeliveries } from '../callbacks/take_callback.js'

/** How long the integration log and what it says of hosts is kept. */
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
      const some = client
        .from('integration_calls')
        .where('called_at', '<=', before)
        .select('id')
        .limit(most)
      return Number(await client.from('integration_calls').whereIn('id', some).delete())
    })
    await inBatches(this.database, goesOn, (client, most) =>
      forgetDeliveries(client, this.clock.now(), most)
    )
    const unusedSince = this.clock.milliseconds() - BUDGETS_KEPT_FOR
    await transact(this.database, async (client) => {
      await client.from('connection_healths').where('updated_at', '<=', before).delete()
      await client.from('oauth_starts').where('expires_at', '<=', this.clock.now()).delete()
      await client.from('provider_budgets').where('used_at', '<=', unusedSince).delete()
    })
  }
}
