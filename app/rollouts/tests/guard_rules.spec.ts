import fc from 'fast-check'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import type { Unit } from '../guard/design_effect.js'
import { healthFrom, type Seen } from '../guard/health.js'
import { daysToAll, unreachable } from '../guard/reach.js'
import { policyFrom, policyStored, warningsOf, type GuardMetric } from '../policy/policy.js'
import {
  daysBefore,
  lastDays,
  userSpans,
  type PreviousVersion,
  type Window,
} from '../policy/spans.js'
import { quietSince } from '../queries/health.js'
import { runs } from '#tests/support/effort'

const LADDER = [1, 2, 5, 10, 20, 50, 100].map((percentage) => ({ percentage, hours: 24 }))
const week = (of: number, unit: Unit = 'users') => ({
  days: Array.from({ length: 7 }, () => ({ of, bad: of / 200 })),
  unit,
})

test.group('a harm budget and the traffic of an app', () => {
  test('many users take the hours of the rungs, few take longer, and none never finish', ({
    assert,
  }) => {
    assert.closeTo(daysToAll(LADDER, week(50_000), 0.005), 6, 0.01)
    const few = daysToAll(LADDER, week(5000), 0.005)
    assert.isTrue(few > 6 && few < 9, String(few))
    assert.equal(daysToAll(LADDER, week(0), 0.005), Infinity)
  })

  test('a budget that takes more than 30 days is reported with the smallest one that works', ({
    assert,
  }) => {
    assert.isNull(unreachable(LADDER, week(5000), 0.5, 50))
    const found = unreachable(LADDER, week(300), 0.25, 50)!
    assert.isTrue(found.days === null || found.days > 30)
    assert.isAbove(found.smallest!, 0.25)
    assert.isAtMost(daysToAll(LADDER, week(300), found.smallest! / 100), 30)
    assert.isAbove(daysToAll(LADDER, week(300), (found.smallest! - 0.01) / 100), 30)
  })

  test('no fault is found without seven known days, nor in a ladder that is longer itself', ({
    assert,
  }) => {
    assert.isNull(unreachable(LADDER, { ...week(10), days: week(10).days.slice(1) }, 0.1, 50))
    const slow = LADDER.map((rung) => ({ ...rung, hours: 24 * 30 }))
    assert.isNull(unreachable(slow, week(5000), 0.25, 50))
    assert.isNotNull(unreachable(LADDER, week(5000), 0.25, 50))
  })

  test('days of a growing previous version are scaled by its share of users', ({ assert }) => {
    const shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    const train = shares.map((share) => ({ of: 5000 * share, bad: 25 * share, share }))
    const [steady, climbed] = [week(5000), { ...week(5000), days: train }].map((traffic) =>
      daysToAll(LADDER, traffic, 0.005)
    )
    assert.closeTo(climbed, steady, 0.1)
    const blind = train.map(({ share: _, ...day }) => day)
    assert.isAbove(daysToAll(LADDER, { ...week(5000), days: blind }, 0.005), 2 * steady)
  })

  test('returning users count for less, so that it takes longer', ({ assert }) => {
    const daysOf = (visits?: number) => {
      const { days, unit } = week(2000)
      return daysToAll(LADDER, { unit, days: days.map((day) => ({ ...day, visits })) }, 0.005)
    }
    assert.isBelow(daysOf(1), 0.8 * daysOf(2))
    assert.equal(daysOf(), daysOf(7))
  })

  test('more users, a greater budget or a smaller effect never take longer', ({ assert }) => {
    const users = fc.integer({ min: 50, max: 100_000 })
    const budget = fc.double({ min: 0.003, max: 0.05, noNaN: true })
    fc.assert(
      fc.property(users, budget, (of, harmBudget) => {
        const days = daysToAll(LADDER, week(of), harmBudget)
        assert.isAtMost(daysToAll(LADDER, week(of), harmBudget * 1.5), days + 0.1)
        assert.isAtLeast(daysToAll(LADDER, week(of, 'sessions'), harmBudget), days - 0.1)
      }),
      { numRuns: runs(30) }
    )
  })
})

test.group('compared spans', () => {
  const START = '2026-05-11T10:00:00.000Z'
  const before: PreviousVersion = {
    appId: 'a',
    version: '1.3.0',
    from: earlier(START, 20 * DAY),
    to: START,
    reached: [],
  }
  const current = (hours: number, since = 0) => ({
    appId: 'a',
    version: '1.4.0',
    from: later(START, since * HOUR),
    to: later(START, (since + hours) * HOUR),
  })

  const lengthOf = ({ from, to }: Window) => Date.parse(to) - Date.parse(from)

  test('users are counted in separate days, and hours are compared with the same hours before the rollout', ({
    assert,
  }) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 900 }),
        fc.nat(500),
        fc.integer({ min: 1, max: 900 }),
        (hours, since, lived) => {
          const old = { ...before, from: earlier(START, lived * HOUR) }
          const { whole, begun, short } = userSpans(current(hours, since), old)
          const block = Math.min(24, lived) * HOUR
          const own = [...whole, ...(begun ? [begun.own] : [])]
          // The spans are consecutive from the begin of the stage, so they never shift.
          assert.equal(own[0].from, later(START, since * HOUR))
          assert.equal(own.at(-1)!.to, later(START, (since + hours) * HOUR))
          for (const [index, each] of own.slice(1).entries()) assert.equal(each.from, own[index].to)
          for (const each of whole) assert.equal(lengthOf(each), block)
          assert.equal(short === null, lived >= 24)
          for (const span of begun?.before ?? []) {
            assert.equal(lengthOf(span), lengthOf(begun!.own))
            assert.isTrue(span.from >= old.from && span.to <= old.to)
          }
        }
      )
    )
  })

  test('a few hours are compared with those of seven days, whole days with whole days', ({
    assert,
  }) => {
    const few = userSpans(current(3), before)
    assert.deepEqual([few.whole.length, few.begun!.before.length], [0, 7])
    assert.equal(few.begun!.before[0].to, earlier(START, 21 * HOUR))
    const more = userSpans(current(51), before)
    assert.equal(more.whole.length, 2)
    assert.equal(lengthOf(more.begun!.own), 3 * HOUR)
    assert.isNull(userSpans(current(48), before).begun)
  })

  test('a day has the share of users of the previous version', ({ assert }) => {
    const reached = [
      { percentage: 10, at: earlier(START, 3 * DAY) },
      { percentage: 50, at: earlier(START, 1.5 * DAY) },
      { percentage: 100, at: earlier(START, DAY) },
    ]
    const shares = daysBefore({ ...before, from: earlier(START, 3 * DAY), reached }, 14)
    assert.deepEqual(
      shares.map(({ share }) => share),
      [0.1, 0.3, 1]
    )
    assert.equal(daysBefore(before, 1)[0].share, 1)
  })

  test('days of the previous version are whole days within its time', ({ assert }) => {
    assert.lengthOf(daysBefore(before, 14), 14)
    const days = daysBefore({ ...before, from: earlier(START, 2.5 * DAY) }, 14)
    assert.deepEqual(
      days.map(({ from }) => from),
      [earlier(START, 2 * DAY), earlier(START, DAY)]
    )
    assert.equal(lastDays(before).from, earlier(START, 7 * DAY))
  })
})

test.group('combined health of metrics', () => {
  const events: GuardMetric = { name: 'a', source: 'events', total: 't', bad: 'b' }
  const seen = (change: Partial<Seen> = {}): Seen => ({
    metric: events,
    verdict: 'healthy',
    missing: null,
    share: 0.1,
    counted: { quiet: 0, days: [] },
    ...change,
  })
  const REVIEWS: Partial<Seen> = {
    metric: { name: 'r', source: 'appReviews' },
    verdict: 'notEnoughData',
  }
  const SILENT: Partial<Seen> = { counted: { quiet: 6 * HOUR, days: [] } }
  const FIRST: Partial<Seen> = { verdict: 'notEnoughData', missing: 'baseline' }

  test('is the worst one; reviews can stop a version but never let it grow', ({ assert }) => {
    const little = seen({ verdict: 'notEnoughData', missing: 'certainty' })
    assert.equal(healthFrom([seen(), seen(REVIEWS)], 'hold'), 'healthy')
    assert.equal(healthFrom([seen(REVIEWS)], 'hold'), 'notEnoughData')
    assert.equal(healthFrom([seen(REVIEWS)], 'grow'), 'notEnoughData')
    assert.equal(healthFrom([seen(), little], 'hold'), 'notEnoughData')
    assert.equal(healthFrom([seen(), seen(FIRST), little], 'hold'), 'noBaseline')
    assert.equal(healthFrom([seen(SILENT), seen(FIRST)], 'hold'), 'silent')
    const bad = seen({ ...REVIEWS, verdict: 'unhealthy' })
    assert.equal(healthFrom([seen(SILENT), bad], 'grow'), 'unhealthy')
  })

  test('can be held only by data if it grows without any', ({ assert }) => {
    const little = seen({ verdict: 'notEnoughData', missing: 'certainty' })
    assert.equal(healthFrom([seen(SILENT), seen(FIRST)], 'grow'), 'off')
    assert.equal(healthFrom([seen(SILENT), seen()], 'grow'), 'healthy')
    assert.equal(healthFrom([seen(SILENT), little], 'grow'), 'notEnoughData')
  })

  test('is not silent in hours without expected users', ({ assert }) => {
    const days = [{ of: 400, bad: 2 }]
    const quiet = (hours: number) => seen({ counted: { quiet: hours * HOUR, days } })
    assert.equal(healthFrom([quiet(6)], 'hold'), 'healthy')
    assert.equal(healthFrom([quiet(13)], 'hold'), 'silent')
    assert.equal(
      healthFrom([seen({ counted: null, verdict: 'notEnoughData', missing: 'sample' })], 'hold'),
      'notEnoughData'
    )
  })

  test('does not count time without measurements as silence', ({ assert }) => {
    const AT = '2026-05-11T10:00:00.000Z'
    const last = {
      ...{ metric: 'a', meaning: 'a', before: null, stageAt: AT, share: 0.1 },
      ...{ current: { of: 10, bad: 0 }, baseline: null, at: AT },
    }
    const more = (of: number, hours: number) =>
      quietSince({ ...last, quiet: HOUR }, { of, bad: 0 }, later(AT, hours * HOUR), HOUR)
    assert.equal(more(11, 30), 0)
    assert.equal(more(10, 0.5), 1.5 * HOUR)
    assert.equal(more(10, 30), 2 * HOUR)
    assert.equal(quietSince(undefined, { of: 0, bad: 0 }, AT, HOUR), 0)
  })
})

test.group('former settings of policies', () => {
  const metrics = [{ name: 'a', source: 'events' as const, total: 't', bad: 'b' }]
  const shared = {
    ...{ ladder: [{ percentage: 100, hours: 0 }], healthyHours: null, timezone: 'UTC' },
    ...{ officeHours: null, weekdays: [1], quietDays: [], finishWithinDays: null, call: [] },
    stops: 'own' as const,
  }

  test('a stored tolerance is used as the harm budget', ({ assert }) => {
    const guard = { metrics, errorBound: 0.01, minimumSample: 1000, tolerance: 0.25 }
    const expected = {
      ...{ ...shared, hotfix: 'atOnce' },
      guard: { metrics, errorBound: 0.01, harmBudget: 0.25, whenUnsure: 'hold' },
    }
    const stored = policyStored({ ...shared, guard })
    assert.deepEqual(stored, expected as never)
    assert.equal(JSON.stringify(policyStored(stored)), JSON.stringify(stored))
    assert.isNull(policyStored({ ...shared, guard: null }).guard)
  })

  test('a tolerance in a request is used the same, with a warning', ({ assert }) => {
    const guard = { metrics, minimumSample: 1000, tolerance: 0.1 }
    const policy = policyFrom({ ladder: shared.ladder, guard })
    assert.equal(policy.guard?.harmBudget, 0.1)
    assert.deepEqual(
      warningsOf({ guard }, false).map(({ pointer, code }) => [pointer, code]),
      [
        ['/guard/tolerance', 'old_setting'],
        ['/guard/minimumSample', 'old_setting'],
      ]
    )
    assert.isEmpty(warningsOf({ guard: { metrics, harmBudget: 0.1 } }, true))
    const both = policyFrom({ ladder: shared.ladder, guard: { ...guard, harmBudget: 1 } })
    assert.equal(both.guard?.harmBudget, 1)
  })

  test('stored and requested policies have the same order of members', ({ assert }) => {
    const policy = policyFrom({ ladder: shared.ladder, guard: { metrics } })
    assert.equal(JSON.stringify(policyStored(policy)), JSON.stringify(policy))
  })
})
