import fc from 'fast-check'
import db from '@adonisjs/lucid/services/db'
import redis from '@adonisjs/redis/services/main'
import { test } from '@japa/runner'
import { isPostgres } from '../../../core/database/connections.js'
import { PostgresPoolRunner } from '../../../core/database/postgres_pool_runner.js'
import { randomText } from '../../../core/ids.js'
import { MemoryCounts } from '../memory_counts.js'
import { PostgresCounts } from '../postgres_counts.js'
import { RedisCounts } from '../redis_counts.js'
import type { RequestCounts } from '../request_counts.js'
import { SqliteCounts } from '../sqlite_counts.js'
import { hasRedis } from '#tests/support/redis'

const LIMIT = 5
const START = Date.parse('2026-11-20T09:00:00Z')
const DAY = 86_400_000

/** Creates a counter in the database under test, with a given clock. */
const database = (time: () => number): RequestCounts =>
  isPostgres(db as never)
    ? new PostgresCounts(new PostgresPoolRunner(db as never), time)
    : new SqliteCounts(db as never, time)

const several = (make: (time: () => number) => RequestCounts) => (time: () => number) =>
  Array.from({ length: 3 }, () => make(time))

/** Creates a counter for each of several processes. */
type Make = (time: () => number) => RequestCounts[]

const stores: [name: string, make: Make, runs: number][] = [
  ['memory', (time) => [new MemoryCounts(time)], 300],
  ['database', several(database), 12],
]
if (await hasRedis()) stores.push(['Redis', several((time) => new RedisCounts(redis, time)), 40])

/** Counts requests of a new key at given times, by all processes in turn. */
function timed(make: Make) {
  let now = START
  let turn = 0
  const counts = make(() => now)
  const key = randomText(20)
  return (at: number, { perSecond = LIMIT, perDay = 8000, of = key } = {}) => {
    now = at
    return counts[turn++ % counts.length].take(of, { perSecond, perDay })
  }
}

/** Waits between requests, in milliseconds: bursts, the edges of a second, and pauses. */
const steps = fc.array(
  fc.oneof(
    fc.constantFrom(0, 0, 0, 1, 199, 200, 499, 500, 999, 1000, 1001),
    fc.integer({ min: 0, max: 1500 })
  ),
  { minLength: 1, maxLength: 30 }
)

test.group('Requests of an organization', () => {
  for (const [name, make, numRuns] of stores) {
    test(`${name}: accepts exactly 5 in any second`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (waits) => {
          const take = timed(make)
          const accepted: number[] = []
          let now = START
          for (const wait of waits) {
            now += wait
            const { refusedBy, remaining, leftOfDay } = await take(now)
            const recent = accepted.filter((at) => at > now - 1000)
            if ((refusedBy === null) !== recent.length < LIMIT) return false
            if (refusedBy === null) accepted.push(now)
            if (leftOfDay !== 8000 - accepted.length) return false
            const used = recent.length + (refusedBy === null ? 1 : 0)
            if (remaining !== Math.max(0, LIMIT - used)) return false
          }
          return true
        }),
        { numRuns }
      )
    })

    test(`${name}: accepts no more than a high limit in any second`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (waits) => {
          const take = timed(make)
          const perSecond = 101
          const accepted: number[] = []
          let now = START
          for (const wait of waits) {
            now += wait
            const requested = Array.from({ length: 40 }, () => take(now, { perSecond }))
            const granted = (await Promise.all(requested)).filter((each) => each.refusedBy === null)
            const recent = accepted.filter((at) => at > now - 1000)
            if (recent.length + granted.length > perSecond) return false
            // Times have a resolution of 100 ms: a request of that long ago may count a little
            // longer.
            const sure = accepted.filter((at) => at > now - 1100).length
            if (granted.length < Math.min(40, perSecond - sure)) return false
            accepted.push(...granted.map(() => now))
          }
          return true
        }),
        { numRuns: Math.ceil(numRuns / 3) }
      )
    })

    test(`${name}: accepts no more in any second if the clock goes back within it`, async () => {
      const back = fc.record({ at: fc.nat(29), by: fc.integer({ min: 1, max: 999 }) })
      const limit = fc.constantFrom(LIMIT, 101)
      await fc.assert(
        fc.asyncProperty(steps, back, limit, async (waits, { at, by }, perSecond) => {
          const take = timed(make)
          const accepted: number[] = []
          let passed = 0
          for (const [index, wait] of waits.entries()) {
            passed += wait
            // Processes ask at the same time, and the clock is behind the time that has passed.
            const now = START + passed - (index >= at ? by : 0)
            const requested = Array.from({ length: 40 }, () => take(now, { perSecond }))
            const granted = (await Promise.all(requested)).filter((each) => each.refusedBy === null)
            const recent = accepted.filter((each) => each > passed - 1000)
            if (recent.length + granted.length > perSecond) return false
            accepted.push(...granted.map(() => passed))
          }
          return true
        }),
        { numRuns: Math.ceil(numRuns / 3) }
      )
    })

    test(`${name}: returns the wait for the next request, to the millisecond`, async ({
      assert,
    }) => {
      const take = timed(make)
      for (const at of [0, 100, 200, 300, 400]) await take(START + at)
      const refused = await take(START + 450)
      assert.deepInclude(refused, { refusedBy: 'second', remaining: 0, waitMs: 550 })
      assert.equal((await take(START + 999)).refusedBy, 'second')
      const accepted = await take(START + 1000)
      assert.deepInclude(accepted, { refusedBy: null, remaining: 0, waitMs: 100 })
      assert.equal(accepted.nowMs, START + 1000)
    })

    test(`${name}: counts organizations separately`, async ({ assert }) => {
      const take = timed(make)
      for (let count = 0; count < 6; count++) await take(START)
      assert.equal((await take(START)).refusedBy, 'second')
      assert.isNull((await take(START, { of: randomText(20) })).refusedBy)
    })

    test(`${name}: counts anew after the clock was set back a day`, async ({ assert }) => {
      const take = timed(make)
      for (let count = 0; count < 5; count++) await take(START)
      const before = START - DAY
      for (let count = 0; count < 5; count++) assert.isNull((await take(before)).refusedBy)
      const refused = await take(before + 400)
      assert.deepInclude(refused, { refusedBy: 'second', waitMs: 600 })
    })

    test(`${name}: counts on after the clock was set back a little`, async ({ assert }) => {
      const take = timed(make)
      for (let count = 0; count < 5; count++) await take(START + 100)
      assert.deepInclude(await take(START), { refusedBy: 'second', remaining: 0, waitMs: 1100 })
    })

    test(`${name}: accepts 5 of many concurrent requests, and reports the rest of the limit to each`, async ({
      assert,
    }) => {
      const take = timed(make)
      const all = await Promise.all(Array.from({ length: 20 }, () => take(START)))
      const accepted = all.filter(({ refusedBy }) => refusedBy === null)
      assert.sameMembers(
        accepted.map(({ remaining }) => remaining),
        [4, 3, 2, 1, 0]
      )
      assert.sameMembers(
        accepted.map(({ leftOfDay }) => leftOfDay),
        [7999, 7998, 7997, 7996, 7995]
      )
      assert.lengthOf(
        all.filter(({ refusedBy }) => refusedBy === 'second'),
        15
      )
    })

    test(`${name}: accepts the daily limit, and again from midnight`, async ({ assert }) => {
      const take = timed(make)
      const last = START - (START % DAY) + DAY - 1000
      const ask = async (at: number) => (await take(at, { perDay: 3 })).refusedBy
      assert.deepEqual(
        [await ask(last), await ask(last + 1), await ask(last + 2)],
        [null, null, null]
      )
      assert.equal(await ask(last + 999), 'day')
      assert.isNull(await ask(last + 1000))
    })
  }
})

if (isPostgres(db as never)) {
  test.group('Requests that PostgreSQL counts', () => {
    const limits = { perSecond: LIMIT, perDay: 8000 }
    const counting = () => new PostgresCounts(new PostgresPoolRunner(db as never))

    test('continue with the saved daily count after a crash has emptied the table', async ({
      assert,
    }) => {
      const [counts, key] = [counting(), randomText(20)]
      for (let count = 0; count < 3; count++) await counts.take(key, limits)
      await counts.save()
      await db.from('request_counts').where('key', key).delete()
      assert.equal((await counting().take(key, limits)).leftOfDay, 7996)
    })

    test('are counted in an unlogged table', async ({ assert }) => {
      const { rows } = await db.rawQuery(
        `select relpersistence from pg_class where relname = 'request_counts'`
      )
      assert.equal(rows[0].relpersistence, 'u')
    })

    test('are counted by one statement for all waiting requests', async ({ assert }) => {
      const runner = new PostgresPoolRunner(db as never)
      let statements = 0
      const counts = new PostgresCounts({
        change: (statement, bindings) => {
          statements += 1
          return runner.change(statement, bindings)
        },
      })
      const keys = Array.from({ length: 50 }, () => randomText(20))
      const all = () =>
        Promise.all(keys.flatMap((key) => [counts.take(key, limits), counts.take(key, limits)]))
      await all()
      // A new key needs a second statement that loads its saved day, and a recount.
      assert.equal(statements, 3)
      await all()
      assert.equal(statements, 4)
    })
  })
}
