import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import { HELD_FOR } from '#webhooks/health'

const DAY = 24 * 3_600_000

/** How long events can be read and deliveries looked up. */
export const KEPT_FOR = 90 * DAY

const BATCH = 500

/** Events that can still be sent though they are old; an index holds only those with a payload. */
export function oldPayloads(database: Pick<Database, 'from'>, before: Instant) {
  return database.from('events').where('occurred_at', '<', before).whereNotNull('payload')
}

/** Ends what is past its time: 30 days for held deliveries, 90 for the rest. */
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** Runs until nothing is left to do; answers how many rows it changed. */
  async run(): Promise<{ expired: number; deleted: number; recoveries: number; cleared: number }> {
    const now = this.clock.now()
    const old = later(now, -KEPT_FOR)
    return {
      expired: await this.#inBatches(
        () =>
          this.database
            .from('webhook_deliveries')
            .where('status', 'held')
            .where('created_at', '<', later(now, -HELD_FOR)),
        (ids) =>
          this.database
            .from('webhook_deliveries')
            .whereIn('id', ids)
            .where('status', 'held')
            .update({ status: 'expired', finished_at: now })
      ),
      deleted: await this.#inBatches(
        () =>
          this.database
            .from('webhook_deliveries')
            .where('created_at', '<', old)
            .whereNot('status', 'pending'),
        (ids) => this.database.from('webhook_deliveries').whereIn('id', ids).delete()
      ),
      recoveries: await this.#inBatches(
        () =>
          this.database
            .from('webhook_recoveries')
            .where('created_at', '<', old)
            .whereNot('status', 'running'),
        (ids) => this.database.from('webhook_recoveries').whereIn('id', ids).delete()
      ),
      // The row stays: the timeline of a release reads it, and its hash chain needs it.
      cleared: await this.#inBatches(
        () => oldPayloads(this.database, old),
        (ids) => this.database.from('events').whereIn('id', ids).update({ payload: null })
      ),
    }
  }

  async #inBatches(
    find: () => ReturnType<Database['from']>,
    change: (ids: string[]) => Promise<unknown>
  ): Promise<number> {
    let count = 0
    for (;;) {
      const rows: { id: string }[] = await find().select('id').limit(BATCH)
      if (rows.length === 0) return count
      await change(rows.map(({ id }) => id))
      count += rows.length
    }
  }
}
