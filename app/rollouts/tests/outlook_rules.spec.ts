import fc from 'fast-check'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import { runs } from '#tests/support/effort'
import { designEffects, type Day } from '../guard/design_effect.js'
import { judge } from '../guard/judge.js'
import { daysToAll } from '../guard/reach.js'
import type { KnownTraffic } from '../policy/check_policy.js'
import { ladderAhead } from '../policy/forecast.js'
import { outlookOf } from '../policy/outlook.js'
import { meaningOf, policyFrom, type PolicyInput, type GuardMetric } from '../policy/policy.js'

/** The time of the tests: a Monday, at nine in Berlin. */
const NOW = '2026-11-16T08:00:00.000Z'

const LADDER = [
  { percentage: 1, hours: 24 },
  { percentage: 10, hours: 24 },
  { percentage: 100, hours: 0 },
]
const USERS: GuardMetric = {
  name: 'crashFreeUsers',
  source: 'crashMonitoring',
  measure: 'crashFreeUsers',
}
const SESSIONS: GuardMetric = { ...USERS, name: 'sessions', measure: 'crashFreeSessions' }
const guard = { metrics: [USERS] }

const trafficOf = (daily: number, share: number, days = 7): KnownTraffic => {
  const day: Day = { of: daily, bad: daily * share }
  return new Map([[meaningOf(USERS), Array.from({ length: days }, () => day)]])
}

const outlook = (
  given: PolicyInput,
  traffic: KnownTraffic = new Map(),
  { isApple = false, freezes = [] as Freeze[] } = {}
) => outlookOf(policyFrom(given), traffic, isApple, freezes, NOW)

const atHours = ({ rungs }: ReturnType<typeof outlookOf>) =>
  rungs.map(({ expectedAt }) =>
    expectedAt === null ? null : (Date.parse(expectedAt) - Date.parse(NOW)) / HOUR
  )

test.group('The outlook of a policy', () => {
  test('without a guard equals the forecast of the ladder', ({ assert }) => {
    const days = fc.integer({ min: 0, max: 20 })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 7, maxLength: 7 }),
        fc.option(fc.constantFrom({ from: '09:00', to: '17:00' }, { from: '00:30', to: '02:30' })),
        fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 2 }),
        fc.option(fc.integer({ min: 1, max: 20 })),
        fc.array(fc.tuple(days, fc.integer({ min: 1, max: 100 })), { maxLength: 2 }),
        (shares, hours, officeHours, weekdays, finishWithinDays, frozen) => {
          const ladder = [...shares.sort((one, other) => one - other), 100].map(
            (percentage, index) => ({ percentage, hours: hours[index] })
          )
          const freezes = frozen.map(([from, length], index) => ({
            ...{ id: String(index), phases: ['release' as const] },
            startAt: later(NOW, from * DAY),
            endAt: later(NOW, from * DAY + length * HOUR),
          }))
          const timezone = 'Europe/Berlin'
          const given = { ladder, officeHours, weekdays, finishWithinDays, timezone }
          const { startsAt, rungs } = outlook(given, new Map(), { freezes })
          const state = {
            ...{ state: 'active' as const, percentage: ladder[0].percentage },
            ...{ since: startsAt, startedAt: startsAt, health: 'off' as const },
          }
          const moves = ladderAhead(policyFrom(given), state, freezes, startsAt)
          assert.deepEqual(
            rungs.map(({ percentage, expectedAt }) => [percentage, expectedAt]),
            [
              [ladder[0].percentage, startsAt],
              ...moves.map(({ percentage, at }) => [percentage, at]),
            ]
          )
          assert.isTrue(rungs.every(({ because }) => because === 'policy'))
        }
      ),
      { numRuns: runs(100) }
    )
  })

  test('predicts no counts with less than seven known days', ({ assert }) => {
    const of = outlook({ ladder: LADDER, guard }, trafficOf(50_000, 0.005, 6))
    assert.deepEqual(atHours(of), [0, 24, 48])
    assert.deepEqual(of.metrics, [
      { name: USERS.name, unit: 'users', knownDays: 6, daily: null, harmedAtMost: null, rungs: [] },
    ])
  })

  test('predicts no counts from days without any', ({ assert }) => {
    const of = outlook({ ladder: LADDER, guard }, trafficOf(0, 0))
    assert.deepEqual(atHours(of), [0, 24, 48])
    assert.containsSubset(of.metrics[0], { knownDays: 0, daily: null })
  })

  test('waits on each rung for the numbers that justify the next', ({ assert }) => {
    const many = outlook({ ladder: LADDER, guard }, trafficOf(1_000_000, 0.005))
    assert.deepEqual(atHours(many), [0, 24, 48])
    const traffic = trafficOf(5000, 0.005)
    const few = outlook({ ladder: LADDER, guard }, traffic)
    const [, second, third] = atHours(few) as number[]
    assert.isAbove(third - second, 24)
    assert.equal(few.rungs[2].because, 'numbers')
    const days = traffic.get(meaningOf(USERS))!
    const all = daysToAll(LADDER, { days, unit: 'users' }, 0.005)
    assert.closeTo(third / 24, all, 0.05)
    // After that, the policy decides when it may grow.
    const office = { from: '09:00', to: '10:00' }
    const closed = outlook({ ladder: LADDER, guard, officeHours: office }, traffic)
    assert.equal(new Date(closed.rungs[2].expectedAt!).getUTCHours(), 9)
    assert.isAtLeast(atHours(closed)[2]!, third)
  })

  test('shows where no number justifies growth', ({ assert }) => {
    const tight = { ...guard, harmBudget: 0.02 }
    const of = outlook({ ladder: LADDER, guard: tight }, trafficOf(50, 0.05))
    assert.equal(atHours(of)[0], 0)
    assert.isNull(of.rungs.at(-1)!.expectedAt)
    assert.equal(of.rungs.at(-1)!.because, 'numbers')
    assert.isNull(of.metrics[0].rungs.at(-1)!.days)
  })

  test('predicts the counts on a rung, and the failures that stop it', ({ assert }) => {
    const traffic = trafficOf(100_000, 0.005)
    const [metric] = outlook({ ladder: LADDER, guard }, traffic).metrics
    assert.deepEqual(metric.daily, { of: 100_000, bad: 500 })
    assert.closeTo(metric.harmedAtMost!, 500, 1e-9)
    assert.deepEqual(
      metric.rungs.map(({ percentage, days }) => [percentage, days]),
      [
        [1, 1],
        [10, 1],
      ]
    )
    const days = traffic.get(meaningOf(USERS))!
    for (const { percentage, counted, stopsAt } of metric.rungs) {
      assert.closeTo(counted.of, 1000 * percentage, 1e-6)
      const share = percentage / 100
      const { current, baseline } = designEffects('users', days, { current: 1, baseline: 7 }, share)
      const week = { of: 700_000, bad: 3500 }
      const judged = (bad: number) =>
        judge(
          {
            current: { of: counted.of, bad },
            baseline: week,
            effects: { current: current.value, baseline },
          },
          [],
          week,
          { errorBound: 0.01 / LADDER.length, harmBudget: 0.005, nextShare: 1 }
        ).verdict
      assert.equal(judged(stopsAt!), 'unhealthy')
      assert.notEqual(judged(stopsAt! - 1), 'unhealthy')
    }
  })

  test('counts on a rung as long as the policy and all metrics make it last', ({ assert }) => {
    const week = trafficOf(1_000_000, 0.005)
    const long = LADDER.map(({ percentage }) => ({ percentage, hours: 96 }))
    const fewDays = Array.from({ length: 7 }, () => ({ of: 3000, bad: 15 }))
    const few = new Map<string, readonly Day[]>([...week, [meaningOf(SESSIONS), fewDays]])
    const both = { metrics: [USERS, SESSIONS] }
    for (const of of [
      outlook({ ladder: long, guard, finishWithinDays: 2 }, week),
      outlook({ ladder: LADDER, guard, weekdays: [1, 3] }, week),
      outlook({ ladder: LADDER, guard: both }, few),
    ]) {
      const hours = atHours(of) as number[]
      for (const [index, { percentage, days, counted }] of of.metrics[0].rungs.entries()) {
        const lasts = (hours[index + 1] - hours[index]) / 24
        assert.closeTo(days!, lasts, 1e-6)
        assert.closeTo(counted.of, 10_000 * percentage * lasts, 1)
      }
    }
  })

  test('has a greatest failure share per rung, by the next share', ({ assert }) => {
    const [metric] = outlook({ ladder: LADDER, guard }, trafficOf(100_000, 0.005)).metrics
    const [first, second] = metric.rungs.map(({ growsUpTo }) => growsUpTo!)
    assert.closeTo(first, 0.005 + 0.05, 1e-9)
    assert.closeTo(second, 0.005 + 0.005, 1e-9)
  })

  test('has no number of bad reviews that stops a version if there are too few reviews', ({
    assert,
  }) => {
    const reviews: GuardMetric = { name: 'reviews', source: 'appReviews' }
    const of = (daily: number) => {
      const days = Array.from({ length: 7 }, () => ({ of: daily, bad: daily / 50 }))
      const traffic: KnownTraffic = new Map([[meaningOf(reviews), days]])
      return outlook({ ladder: LADDER, guard: { metrics: [reviews] } }, traffic).metrics[0].rungs
    }
    const [, few] = of(150)
    assert.containsSubset(few, { percentage: 10, stopsAt: null, growsUpTo: null })
    assert.isAbove(few.counted.of, 10)
    assert.isNumber(of(300)[1].stopsAt)
  })

  test('has no number that stops a version with hardly any counts', ({ assert }) => {
    const wide = { ...guard, harmBudget: 50 }
    const [metric] = outlook({ ladder: LADDER, guard: wide }, trafficOf(100, 0.01)).metrics
    assert.closeTo(metric.rungs[0].counted.of, 1, 1e-9)
    assert.isNull(metric.rungs[0].stopsAt)
  })

  test('follows the days of the App Store, and pauses on quiet days', ({ assert }) => {
    const own = { ladder: LADDER, healthyHours: 1, officeHours: { from: '09:00', to: '10:00' } }
    const of = outlook(own, new Map(), { isApple: true })
    assert.deepEqual(
      of.rungs.map(({ percentage }) => percentage),
      [1, 2, 5, 10, 20, 50, 100]
    )
    assert.deepEqual(atHours(of), [0, 24, 48, 72, 96, 120, 144])
    const quiet = outlook({ ...own, quietDays: ['2026-11-18'] }, new Map(), { isApple: true })
    assert.isAbove(atHours(quiet).at(-1)!, 144)
    const tight = { metrics: [USERS], harmBudget: 0.5 }
    const few = outlook({ guard: tight }, trafficOf(2000, 0.005), { isApple: true })
    assert.isAbove(atHours(few).at(-1)!, 144)
  })
})
