import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock } from '../../core/clock.js'
import { KEPT_MS } from './idempotency.js'

/** Clocks of processes differ: a limit is over for all of them a bit after it is for one. */
const MARGIN_MS = 60_000

/** Removes what requests leave behind once it has no effect any more: kept answers and limits. */
export class PruneSpent {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  async run(): Promise<void> {
    await this.database
      .from('idempotency_keys')
      .where('created_at', '<=', later(this.clock.now(), -KEPT_MS))
      .delete()
    for (const table of ['rate_limits', 'burst_windows']) {
      await this.database
        .from(table)
        .where('expire', '<', this.clock.milliseconds() - MARGIN_MS)
        .delete()
    }
  }
}
