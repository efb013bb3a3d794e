import fc from 'fast-check'
import db from '@adonisjs/lucid/services/db'
import redis from '@adonisjs/redis/services/main'
import { test } from '@japa/runner'
import { randomText } from '../../../core/ids.js'
import {
  DatabaseBurstWindow,
  MemoryBurstWindow,
  RedisBurstWindow,
  type BurstWindow,
} from '../burst_window.js'
import { hasRedis } from '#tests/support/redis'

const LIMIT = 5
const START = Date.parse('2026-11-20T09:00:00Z')

const stores: [name: string, make: () => BurstWindow, runs: number][] = [
  ['memory', () => new MemoryBurstWindow(), 300],
  ['database', () => new DatabaseBurstWindow(db as never), 12],
]
if (await hasRedis()) stores.push(['Redis', () => new RedisBurstWindow(redis), 40])

/** Steps of time between requests: bursts, the edges of a second, and quiet. */
const steps = fc.array(
  fc.oneof(
    fc.constantFrom(0, 0, 0, 1, 199, 200, 499, 500, 999, 1000, 1001),
    fc.integer({ min: 0, max: 1500 })
  ),
  { minLength: 1, maxLength: 30 }
)

test.group('The sliding second', () => {
  for (const [name, make, numRuns] of stores) {
    test(`${name}: accepts at most 5 in any second, and as many as that`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (waits) => {
          const window = make()
          const key = randomText(20)
          const accepted: number[] = []
          let now = START
          for (const wait of waits) {
            now += wait
            const { allowed, remaining } = await window.take(key, LIMIT, now)
            const recent = accepted.filter((at) => at > now - 1000)
            if (allowed !== recent.length < LIMIT) return false
            if (allowed) accepted.push(now)
            if (remaining !== Math.max(0, LIMIT - recent.length - (allowed ? 1 : 0))) return false
          }
          return true
        }),
        { numRuns }
      )
    })

    test(`${name}: says when one more is accepted, to the millisecond`, async ({ assert }) => {
      const window = make()
      const key = randomText(20)
      for (const at of [0, 100, 200, 300, 400]) await window.take(key, LIMIT, START + at)
      const refused = await window.take(key, LIMIT, START + 450)
      assert.deepEqual(refused, { allowed: false, remaining: 0, waitMs: 550 })
      assert.isFalse((await window.take(key, LIMIT, START + 999)).allowed)
      assert.deepEqual(await window.take(key, LIMIT, START + 1000), {
        allowed: true,
        remaining: 0,
        waitMs: 100,
      })
    })

    test(`${name}: counts each organization by itself`, async ({ assert }) => {
      const window = make()
      const [one, other] = [randomText(20), randomText(20)]
      for (let count = 0; count < 6; count++) await window.take(one, LIMIT, START)
      assert.isFalse((await window.take(one, LIMIT, START)).allowed)
      assert.isTrue((await window.take(other, LIMIT, START)).allowed)
    })

    test(`${name}: a clock that was set back a day keeps nobody waiting`, async ({ assert }) => {
      const window = make()
      const key = randomText(20)
      for (let count = 0; count < 5; count++) await window.take(key, LIMIT, START)
      const before = START - 86_400_000
      for (let count = 0; count < 5; count++) {
        assert.isTrue((await window.take(key, LIMIT, before)).allowed)
      }
      const { allowed, waitMs } = await window.take(key, LIMIT, before + 400)
      assert.deepEqual([allowed, waitMs], [false, 600])
    })

    test(`${name}: clocks of processes that differ a little share one window`, async ({
      assert,
    }) => {
      const window = make()
      const key = randomText(20)
      for (let count = 0; count < 5; count++) await window.take(key, LIMIT, START + 100)
      assert.deepEqual(await window.take(key, LIMIT, START), {
        allowed: false,
        remaining: 0,
        waitMs: 1100,
      })
    })

    test(`${name}: accepts 5 of many that race`, async ({ assert }) => {
      const window = make()
      const key = randomText(20)
      const states = await Promise.all(
        Array.from({ length: 20 }, () => window.take(key, LIMIT, START))
      )
      assert.lengthOf(
        states.filter(({ allowed }) => allowed),
        LIMIT
      )
    })
  }
})
