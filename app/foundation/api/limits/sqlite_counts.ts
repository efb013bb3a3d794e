import type { Database } from '@adonisjs/lucid/database'
import { change, of, select } from '../../core/database/statement.js'
import { transact } from '../../core/database/transact.js'
import {
  accept,
  CountsInRounds,
  mostOfDay,
  NOTHING,
  type Asked,
  type Taken,
} from './request_counts.js'
import { requestCounts } from './tables.js'

const ROW = select(
  of(requestCounts, 'c', ['accepted', 'day', 'ofDay']),
  'from request_counts c where c.key = :key'
)
const STORE = change(
  `insert into request_counts (key, accepted, day, of_day, per_day, granted, counted_at)
  values (:key, :at, :day, :ofDay, :perDay, :granted, :now)
  on conflict (key) do update set accepted = excluded.accepted, day = excluded.day,
    of_day = excluded.of_day, per_day = excluded.per_day, granted = excluded.granted, counted_at = excluded.counted_at`
)

/** For a process that keeps its limits in its SQLite: one transaction counts all that wait. */
export class SqliteCounts extends CountsInRounds {
  readonly tellsChanges = false
  /** @param time milliseconds since the epoch */
  constructor(
    private readonly database: Database,
    private readonly time: () => number
  ) {
    super()
  }

  protected count(asked: readonly Asked[]): Promise<Taken[]> {
    return transact(this.database, async (_client, _connection, statements) => {
      const taken: Taken[] = []
      for (const { key, count, limits } of asked) {
        const nowMs = this.time()
        const [row] = await statements.rows(ROW, { key })
        const before = row ? { ...row, at: JSON.parse(row.accepted) } : NOTHING
        const { accepted, granted } = accept(before, count, limits, nowMs)
        const { at, day, ofDay } = accepted
        const counted = { at: JSON.stringify(at), day, ofDay, granted, now: nowMs }
        await statements.send(STORE, { key, ...counted, perDay: mostOfDay(limits) })
        taken.push({ accepted, granted, nowMs })
      }
      return taken
    })
  }
}
