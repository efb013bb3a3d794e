import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '../../core/database/from.js'
import { earlier, type Clock } from '../../core/clock.js'
import { inBatches } from '../../core/database/in_batches.js'
import type { TableName } from '../../core/database/table.js'
import { DAY, MINUTE } from '../../core/durations.js'
import { RETENTION_MS } from './idempotency.js'

/** Tolerance for the clocks of other processes, which may still apply a limit that is over here. */
const MARGIN_MS = MINUTE

type Rows = ReturnType<TransactionClientContract['from']>

/** Removes expired traces of requests: stored responses, rate limits and request counts. */
export class PruneExpired {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to remove, or it may not go on. */
  async run(mayContinue = () => true): Promise<void> {
    const kept = earlier(this.clock.now(), RETENTION_MS)
    await this.#prune(
      'idempotency_keys',
      (rows) => rows.where('created_at', '<=', kept),
      mayContinue
    )
    const over = this.clock.milliseconds() - MARGIN_MS
    await this.#prune('rate_limits', (rows) => rows.where('expire', '<', over), mayContinue)
    const before = over - DAY
    await this.#prune(
      'request_counts',
      (rows) => rows.where('counted_at', '<', before),
      mayContinue
    )
  }

  async #prune(
    table: TableName,
    spent: (rows: Rows) => Rows,
    mayContinue: () => boolean
  ): Promise<void> {
    await inBatches(this.database, mayContinue, async (client, most) => {
      // The databases have different names for the physical address of a row.
      const address = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
      const some = spent(from(client, table)).select(address).limit(most)
      return Number(await from(client, table).whereIn(address, some).delete())
    })
  }
}
