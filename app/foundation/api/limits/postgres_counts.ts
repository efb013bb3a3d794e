import type { SingleChanges } from '../../core/database/runner.js'
import { as, change, of } from '../../core/database/statement.js'
import { optional, text } from '../../core/database/table.js'
import { changesOf } from '../../core/events/change_numbers.js'
import {
  CountsInRounds,
  MOST_APART,
  mostOfDay,
  SLOT_MS,
  type Asked,
  type Taken,
} from './request_counts.js'
import { requestCounts } from './tables.js'

/** Days are saved so often, in milliseconds: a crash of the server loses no more of them. */
const SAVED_EVERY_MS = 5000

/** The time by the clock that all processes share, unless one is given. */
const TIME = `(
  select now, cast(now / 86400000 as integer) as day, case when :per_second > ${MOST_APART}
    then (now + ${SLOT_MS - 1}) / ${SLOT_MS} * ${SLOT_MS} else now end as slot
  from (
    select coalesce(cast(:now as bigint),
      cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)) as now
  ) clock
)`

/** Where the day of a key is saved. */
const SAVED = (day: string, key: string) => `'requests:' || ${day} || ':' || ${key}`

const NUMBER = changesOf('n', true).sql

/*
 * A row that is new goes on with what was saved of its day. One that is there is locked before the
 * time is taken, so times of one key never go back, whichever process counts.
 */
const COUNT = change(
  `insert into request_counts as c (key, accepted, day, of_day, per_day, granted, counted_at)
  select a.key,
    case when g.granted > 0 then cast(jsonb_build_object(t.slot, g.granted) as text) else '{}' end,
    t.day, s.points + g.granted, a.per_day, g.granted, t.now
  from json_to_recordset(cast(:asked as json)) as a(key text, count integer, per_day integer)
    cross join ${TIME} t
    cross join lateral (
      select coalesce((select r.points from rate_limits r where r.key = ${SAVED('t.day', 'a.key')}), 0)
        as points
    ) s
    cross join lateral (
      select greatest(0, least(a.count, cast(:per_second as integer), a.per_day - s.points))
        as granted
    ) g
  order by a.key
  on conflict (key) do update set (accepted, day, of_day, per_day, granted, counted_at) = (
    select
      cast(case when g.granted = 0 then k.recent else k.recent || jsonb_build_object(
        t.slot, coalesce(cast(k.recent ->> cast(t.slot as text) as integer), 0) + g.granted) end as text),
      t.day, d.before + g.granted, excluded.per_day, g.granted, t.now
    from ${TIME} t
      cross join lateral (
        select coalesce(jsonb_object_agg(e.time, cast(e.count as integer)), '{}') as recent,
          coalesce(sum(cast(e.count as integer)), 0) as used
        from jsonb_each_text(cast(c.accepted as jsonb)) as e(time, count)
        where abs(t.now - cast(e.time as bigint)) < 1000
      ) k
      cross join lateral (
        select case when c.day = t.day then c.of_day
          when excluded.day = t.day then excluded.of_day - excluded.granted else 0 end as before
      ) d
      cross join lateral (
        select cast(greatest(0, least(excluded.granted, :per_second - k.used,
          excluded.per_day - d.before)) as integer) as granted
      ) g
  )`,
  {
    ...of(requestCounts, 'c', ['key', 'accepted', 'day', 'ofDay', 'granted', 'countedAt']),
    changes: as(
      optional(text()),
      `(select ${NUMBER} from event_counters n where n.organization_id = c.key)`
    ),
  }
)

const SAVE = change(
  `insert into rate_limits (key, points, expire)
  select ${SAVED('d.day', 'd.key')}, d.count, (d.day + 1) * cast(86400000 as bigint)
  from json_to_recordset(cast(:days as json)) as d(key text, day integer, count integer)
  order by 1
  on conflict (key) do update set points = greatest(rate_limits.points, excluded.points)`
)

/**
 * For processes that share a PostgreSQL: one statement judges and counts all that wait, and reads
 * the numbers that their kept answers stand on.
 */
export class PostgresCounts extends CountsInRounds {
  readonly tellsChanges = true
  /** Days that were counted since the last were saved. */
  #unsaved = new Map<string, { key: string; day: number; count: number }>()
  #savedAt = performance.now()

  /** @param time milliseconds since the epoch, in place of the server's clock */
  constructor(
    private readonly changes: SingleChanges,
    private readonly time?: () => number
  ) {
    super()
  }

  protected async count(asked: readonly Asked[]): Promise<Taken[]> {
    // What each second may hold is the same for all.
    const perSecond = asked[0].limits.perSecond
    const rows = await this.changes.change(COUNT, {
      asked: JSON.stringify(
        asked.map(({ key, count, limits }) => ({ key, count, per_day: mostOfDay(limits) }))
      ),
      per_second: perSecond,
      now: this.time?.() ?? null,
    })
    const taken = new Map<string, Taken>()
    for (const { key, accepted, day, ofDay, granted, countedAt: nowMs, changes } of rows) {
      const at = JSON.parse(accepted)
      taken.set(key, { accepted: { at, day, ofDay }, granted, nowMs, changes: changes ?? '' })
    }
    for (const { key, limits } of asked) {
      const { accepted, granted } = taken.get(key)!
      if (limits.perDay === null || granted === 0) continue
      this.#unsaved.set(key, { key, day: accepted.day, count: accepted.ofDay })
    }
    if (performance.now() - this.#savedAt > SAVED_EVERY_MS) void this.save()
    return asked.map(({ key }) => taken.get(key)!)
  }

  /** Saves the days; what cannot be saved now is saved with what comes next. */
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
