import type { Database } from '@adonisjs/lucid/database'
import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { hourly } from '#foundation/jobs/handlers'
import { earlier, type Clock } from '#foundation/core/clock'
import { inBatches } from '#foundation/core/database/in_batches'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'

/** Series are kept for this long, in milliseconds. */
export const KEPT_FOR = 90 * DAY

/** Deletes expired points, and then series without points. */
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly time: Clock
  ) {}

  async run(mayContinue = () => true): Promise<void> {
    const old = earlier(this.time.now(), KEPT_FOR)
    await inBatches(this.database, mayContinue, async (client, most) => {
      const rows: { series_id: string; at: string }[] = await from(client, 'metric_points')
        .where('at', '<', old)
        .select('series_id', 'at')
        .limit(most)
      const keys = rows.map(({ series_id: series, at }) => [series, at])
      if (keys.length > 0) {
        await from(client, 'metric_points').whereIn(['series_id', 'at'], keys).delete()
      }
      return keys.length
    })
    await inBatches(this.database, mayContinue, async (client, most) => {
      const rows: { id: string }[] = await from(client, 'metric_series')
        .where('created_at', '<', old)
        .whereNotExists((points) =>
          from(points, 'metric_points').whereColumn('metric_points.series_id', 'metric_series.id')
        )
        .select('id')
        .limit(most)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await from(client, 'metric_series').whereIn('id', ids).delete()
      return ids.length
    })
  }
}

/** The hourly job that deletes expired points and series. */
export const retainSeries = hourly('monitoring.retention', (mayContinue) =>
  new Retention(db as never, clock).run(mayContinue)
)
