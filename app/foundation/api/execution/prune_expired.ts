import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '../../core/database/from.js'
import { later, type Clock } from '../../core/clock.js'
import { inBatches } from '../../core/database/in_batches.js'
import type { TableName } from '../../core/database/table.js'
import { DAY } from '../../core/durations.js'
import { RETENTION_MS } from './idempotency.js'

/** Clocks of processes differ: a limit is over for all of them a bit after it is for one. */
const MARGIN_MS = 60_000

type Rows = ReturnType<TransactionClientContract['from']>

/** Removes what requests leave behind once it has no effect any more: kept answers and limits. */
export class PruneExpired {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to remove, or it may not go on. */
  async run(goesOn = () => true): Promise<void> {
    const kept = later(this.clock.now(), -RETENTION_MS)
    await this.#prune('idempotency_keys', (rows) => rows.where('created_at', '<=', kept), goesOn)
    const over = this.clock.milliseconds() - MARGIN_MS
    await this.#prune('rate_limits', (rows) => rows.where('expire', '<', over), goesOn)
    const before = over - DAY
    await this.#prune('request_counts', (rows) => rows.where('counted_at', '<', before), goesOn)
  }

  async #prune(
    table: TableName,
    spent: (rows: Rows) => Rows,
    goesOn: () => boolean
  ): Promise<void> {
    await inBatches(this.database, goesOn, async (client, most) => {
      // Each database has a name of its own for where a row is.
      const place = client.dialect.name === 'postgres' ? 'ctid' : 'rowid'
      const some = spent(from(client, table)).select(place).limit(most)
      return Number(await from(client, table).whereIn(place, some).delete())
    })
  }
}
