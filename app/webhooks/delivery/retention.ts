import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { earlier, type Clock, type Instant } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import type { TableName } from '#foundation/core/database/table'
import { HELD_FOR } from '#webhooks/endpoint_health'
import { DAY } from '#foundation/core/durations'

/** The retention of events and deliveries. */
const KEPT_FOR = 90 * DAY

type Rows = ReturnType<TransactionClientContract['from']>

/**
 * Queries old events that still have a payload. An index by organization contains only events with a
 * payload; `cross join` makes SQLite walk that index for each organization.
 */
export function oldPayloads(database: Pick<Database, 'from'>, before: Instant) {
  return from(database, 'organizations')
    .joinRaw('cross join events')
    .whereColumn('events.organization_id', 'organizations.id')
    .where('events.occurred_at', '<', before)
    .whereNotNull('events.payload')
}

/** Rows to find and to change. */
interface Batches {
  table: TableName
  find: (client: TransactionClientContract) => Rows
  change: (rows: Rows) => PromiseLike<unknown>
}

/** Expires held deliveries after 30 days; removes deliveries, recoveries and payloads after 90. */
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until it is done or `mayContinue` returns false; returns the numbers of changed rows. */
  async run(
    mayContinue = () => true
  ): Promise<{ expired: number; deleted: number; recoveries: number; cleared: number }> {
    const now = this.clock.now()
    const old = earlier(now, KEPT_FOR)
    const changed = (batches: Batches) => this.#changed(batches, mayContinue)
    return {
      expired: await changed({
        table: 'webhook_deliveries',
        find: (client) =>
          from(client, 'webhook_deliveries')
            .where('status', 'held')
            .where('created_at', '<', earlier(now, HELD_FOR)),
        change: (rows) =>
          rows.where('status', 'held').update({ status: 'expired', finished_at: now }),
      }),
      deleted: await changed({
        table: 'webhook_deliveries',
        find: (client) =>
          from(client, 'webhook_deliveries')
            .where('created_at', '<', old)
            .whereNot('status', 'pending'),
        change: (rows) => rows.whereNot('status', 'pending').delete(),
      }),
      recoveries: await changed({
        table: 'webhook_recoveries',
        find: (client) =>
          from(client, 'webhook_recoveries')
            .where('created_at', '<', old)
            .whereNot('status', 'running'),
        change: (rows) => rows.delete(),
      }),
      // The row stays: the timeline of a release reads it, and its hash chain needs it.
      cleared: await changed({
        table: 'events',
        find: (client) => oldPayloads(client, old),
        change: (rows) => rows.update({ payload: null }),
      }),
    }
  }

  #changed({ table, find, change }: Batches, mayContinue: () => boolean): Promise<number> {
    return inBatches(this.database, mayContinue, async (client, most) => {
      const rows: { id: string }[] = await find(client).select(`${table}.id`).limit(most)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await change(from(client, table).whereIn('id', ids))
      return ids.length
    })
  }
}
