import type { Database } from '@adonisjs/lucid/database'
import { change, of, select } from '../../core/database/statement.js'
import { storedRow } from '../../core/database/table.js'
import { transact } from '../../core/database/transact.js'
import {
  accept,
  CountsInRounds,
  mostOfDay,
  NOTHING,
  type CountedRequests,
  type Taken,
} from './request_counts.js'
import { requestCounts } from './tables.js'

const ROW = select(
  of(requestCounts, 'c', ['times', 'totals', 'day', 'ofDay']),
  'from request_counts c where c.key = :key'
)
const STORE = change(
  `insert into request_counts (key, times, totals, day, of_day, per_day, granted, counted_at)
  values (:key, :times, :totals, :day, :of_day, :per_day, :granted, :counted_at)
  on conflict (key) do update set times = excluded.times, totals = excluded.totals,
    day = excluded.day, of_day = excluded.of_day, per_day = excluded.per_day,
    granted = excluded.granted, counted_at = excluded.counted_at`
)

/** Counts in the SQLite database of a process: one transaction counts all waiting requests. */
export class SqliteCounts extends CountsInRounds {
  readonly reportsChanges = false
  /** @param time milliseconds since the epoch */
  constructor(
    private readonly database: Database,
    private readonly time: () => number
  ) {
    super()
  }

  protected count(requested: readonly CountedRequests[]): Promise<Taken[]> {
    return transact(this.database, async (_client, _connection, statements) => {
      const all: Taken[] = []
      for (const { key, count, limits } of requested) {
        const [before = NOTHING] = await statements.rows(ROW, { key })
        const { accepted, taken } = accept(before, count, limits, this.time())
        const { granted, nowMs } = taken
        const row = { ...accepted, key, perDay: mostOfDay(limits), granted, countedAt: nowMs }
        await statements.send(STORE, storedRow(requestCounts, row))
        all.push(taken)
      }
      return all
    })
  }
}
