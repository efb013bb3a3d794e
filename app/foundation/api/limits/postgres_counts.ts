import { DAY } from '../../core/durations.js'
import { compareTexts } from '../../core/compare_texts.js'
import type { SingleChanges } from '../../core/database/runner.js'
import { as, change, of } from '../../core/database/statement.js'
import { integer, optional, text } from '../../core/database/table.js'
import { changesOf } from '../../core/events/change_numbers.js'
import {
  CountsInRounds,
  dayOf,
  mostOfDay,
  slotMs,
  WINDOW_MS,
  type CountedRequests,
  type Taken,
} from './request_counts.js'
import { requestCounts } from './tables.js'

/** Milliseconds between saves of the daily counts. A server crash loses at most this much. */
const SAVE_INTERVAL_MS = 5000

/** Returns the SQL of the key under which a daily count is saved. */
const savedKey = (day: string, key: string) => `'requests:' || ${day} || ':' || ${key}`

/** The time of the database server, which all processes share, unless `:now` is set. */
const NOW = `(
  select coalesce(cast(:now as bigint),
    cast(floor(date_part('epoch', clock_timestamp()) * 1000) as bigint)) as now
  offset 0
)`

/*
 * Implements the function `accept` in SQL. The row is locked before the time is read, so the times
 * of a key never go backwards, whichever process counts.
 *
 * PostgreSQL spends more time on planning this statement than on running it, and every table,
 * subquery and operator adds to that. Rare work is therefore left to `INITIALIZE`. `offset 0` keeps
 * the planner from repeating an expression wherever its value is used.
 */
const COUNT = change(
  `insert into request_counts as c (key, times, totals, day, of_day, per_day, granted, counted_at)
  select a.key, '{}', '{}', 0, 0, a.per_day, a.count, 0
  from unnest(cast(:keys as text[]), cast(:counts as integer[]), cast(:days as integer[]))
    as a(key, count, per_day)
  on conflict (key) do update set (times, totals, day, of_day, per_day, granted, counted_at) = (
    select c.times[p.over : p.kept] || p.at, c.totals[p.over : p.kept] || (p.total + p.granted),
      p.day, p.before + p.granted, excluded.per_day, p.granted,
      case when c.counted_at = 0 then 0 else p.now end
    from (
      select g.*, case when g.at = g.last then g.count - 1 else g.count end as kept
      from (
        select j.*, greatest(j.last, case when j.granted > 0 or j.last is null
          then (j.now + :slot - 1) / :slot * :slot end) as at
        from (
          select k.*, greatest(0, least(excluded.granted,
            :per_second - k.total + coalesce(c.totals[k.over], 0),
            excluded.per_day - k.before)) as granted
          from (
            select t.*, c.times[t.count] as last, coalesce(c.totals[t.count], 0) as total,
              least(t.count, width_bucket(t.now - ${WINDOW_MS}, c.times)) as over,
              case when c.day = t.day then c.of_day else 0 end as before
            from (
              select n.now, cast(n.now / ${DAY} as integer) as day,
                case when c.times[cardinality(c.times)] - n.now >= ${WINDOW_MS} + :slot - 1 then 0
                  else cardinality(c.times) end as count
              from ${NOW} n
            ) t
            offset 0
          ) k
          offset 0
        ) j
      ) g
    ) p
  )`,
  {
    ...of(requestCounts, 'c', ['key', 'granted', 'ofDay', 'countedAt']),
    used: as(
      integer(),
      `c.totals[cardinality(c.totals)]
        - coalesce(c.totals[width_bucket(c.counted_at - ${WINDOW_MS}, c.times)], 0)`
    ),
    next: as(
      integer(),
      `c.times[1 + width_bucket(c.totals[cardinality(c.totals)] - :per_second, c.totals)]`
    ),
    // An ordered range uses the index; for an equality the planner would scan a few hundred rows.
    changes: as(
      optional(text()),
      `(
        select case when n.organization_id = c.key then ${changesOf('n', true).sql} end
        from event_counters n where n.organization_id >= c.key order by n.organization_id limit 1
      )`
    ),
  }
)

/** Initializes new rows with the saved count of the day. */
const INITIALIZE = change(
  `insert into request_counts as c (key, times, totals, day, of_day, per_day, granted, counted_at)
  select a.key, '{}', '{}', t.day, coalesce(s.points, 0), 0, 0, 1
  from unnest(cast(:keys as text[])) with ordinality as a(key, place)
    cross join (select cast(n.now / ${DAY} as integer) as day from ${NOW} n) t
    left join rate_limits s on s.key = ${savedKey('t.day', 'a.key')}
  order by a.place
  on conflict (key) do update set times = excluded.times, totals = excluded.totals,
    day = excluded.day, of_day = excluded.of_day, counted_at = excluded.counted_at
  where c.counted_at = 0`
)

const SAVE = change(
  `insert into rate_limits (key, points, expire)
  select ${savedKey('d.day', 'd.key')}, d.count, (d.day + 1) * cast(${DAY} as bigint)
  from json_to_recordset(cast(:days as json)) as d(key text, day integer, count integer)
  order by 1
  on conflict (key) do update set points = greatest(rate_limits.points, excluded.points)`
)

/** Formats values as a PostgreSQL array literal. */
const arrayLiteral = (values: readonly (string | number)[]) =>
  `{${values.map((value) => JSON.stringify(value)).join(',')}}`

/**
 * Counts in PostgreSQL, for many processes. One statement counts all waiting requests and reads the
 * change numbers of their organizations, which the response cache needs.
 */
export class PostgresCounts extends CountsInRounds {
  readonly reportsChanges = true
  /** Daily counts since the last save. */
  #unsaved = new Map<string, { key: string; day: number; count: number }>()
  #savedAt = performance.now()

  /** @param time milliseconds since the epoch, in place of the server's clock */
  constructor(
    private readonly changes: SingleChanges,
    private readonly time?: () => number
  ) {
    super()
  }

  protected async count(requested: readonly CountedRequests[]): Promise<Taken[]> {
    // Rows are locked in the order of their keys to prevent deadlocks.
    const sorted = [...requested].sort((one, other) => compareTexts(one.key, other.key))
    const taken = new Map<string, Taken>()
    await this.#count(sorted, taken)
    for (const { key, limits } of requested) {
      const { granted, ofDay, nowMs } = taken.get(key)!
      if (limits.perDay === null || granted === 0) continue
      this.#unsaved.set(key, { key, day: dayOf(nowMs), count: ofDay })
    }
    if (performance.now() - this.#savedAt > SAVE_INTERVAL_MS) void this.save()
    return requested.map(({ key }) => taken.get(key)!)
  }

  async #count(requested: readonly CountedRequests[], taken: Map<string, Taken>): Promise<void> {
    // The limit per second is the same for all.
    const [{ limits }] = requested
    const rows = await this.changes.change(COUNT, {
      keys: arrayLiteral(requested.map(({ key }) => key)),
      counts: arrayLiteral(requested.map(({ count }) => count)),
      days: arrayLiteral(requested.map((each) => mostOfDay(each.limits))),
      per_second: limits.perSecond,
      slot: slotMs(limits),
      now: this.time?.() ?? null,
    })
    for (const { key, countedAt: nowMs, changes, ...counted } of rows) {
      if (nowMs > 0) taken.set(key, { ...counted, nowMs, changes: changes ?? '' })
    }
    const uninitialized = requested.filter(({ key }) => !taken.has(key))
    if (uninitialized.length === 0) return
    const keys = arrayLiteral(uninitialized.map(({ key }) => key))
    await this.changes.change(INITIALIZE, { keys, now: this.time?.() ?? null })
    await this.#count(uninitialized, taken)
  }

  /** Saves the daily counts. If that fails, the next save includes them. */
  async save(): Promise<void> {
    this.#savedAt = performance.now()
    const days = [...this.#unsaved.values()]
    this.#unsaved.clear()
    try {
      if (days.length > 0) await this.changes.change(SAVE, { days: JSON.stringify(days) })
    } catch {
      for (const day of days) {
        if (!this.#unsaved.has(day.key)) this.#unsaved.set(day.key, day)
      }
    }
  }
}
