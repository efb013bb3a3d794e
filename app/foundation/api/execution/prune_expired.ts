import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '../../core/database/from.js'
import { earlier, type Clock } from '../../core/clock.js'
import { inBatches } from '../../core/database/in_batches.js'
import type { TableName } from '../../core/database/table.js'
import { DAY, MINUTE } from '../../core/durations.js'
import { RETENTION_MS } from './idempotency.js'

/** Tolerance for clock skew: another process may still apply a limit that has expired here. */
const MARGIN_MS = MINUTE

type Rows = ReturnType<TransactionClientContract['from']>

/** Deletes expired records of requests: stored responses, rate limits and request counts. */
export class PruneExpired {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to delete, or `mayContinue` returns false. */
  async run(mayContinue = () => true): Promise<void> {
    const retained = earlier(this.clock.now(), RETENTION_MS)
    await this.#prune(
      'idempotency_keys',
      (rows) => rows.where('created_at', '<=', retained),
      mayContinue
    )
    const expired = this.clock.milliseconds() - MARGIN_MS
    await this.#prune('rate_limits', (rows) => rows.where('expire', '<', expired), mayContinue)
    const before = expired - DAY
    await this.#prune(
      'request_counts',
      (rows) => rows.where('counted_at', '<', before),
      mayContinue
    )
  }

  async #prune(
    table: TableName,
    expired: (rows: Rows) => Rows,
    mayContinue: () => boolean
  ): Promise<void> {
    await inBatches(this.database, mayContinue, async (client, limit) => {
      // The databases have different names for the physical address of a row.
      const address = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
      const batch = expired(from(client, table)).select(address).limit(limit)
      return Number(await from(client, table).whereIn(address, batch).delete())
    })
  }
}
