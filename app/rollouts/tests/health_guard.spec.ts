import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { test } from '@japa/runner'
import type { Sample } from '../guard/bounds.js'
import { judge, type Terms } from '../guard/judge.js'
import { judgeMetric } from '../guard/judge_metric.js'
import { policyFrom } from '../policy/policy.js'
import { randomOf } from './draws.js'
import { TABLES } from './guard_tables.js'
import { simulate, type Planted } from './simulated_guard.js'
import { isLong, runs } from '#tests/support/effort'

const TERMS: Terms = { errorBound: 0.01 / 7, harmBudget: 0.005, nextShare: 1 }
const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
const seedText = `TEST_SEED=${seed}`

const judged = (
  current: Sample,
  baseline: Sample | null,
  { effect = 1, ...terms }: Partial<Terms> & { effect?: number } = {}
) => {
  const rung = { current, baseline, effects: { current: effect, baseline: effect } }
  return judge(rung, [], baseline ?? current, { ...TERMS, ...terms })
}

/** Simulates many releases of an app with 99.5 % crash-free users. */
const releases = (given: Partial<Planted> & { daily: number; drop?: number }, count: number) => {
  const { drop = 0, ...planted } = given
  const shares = { before: 0.005, now: 0.005 + drop }
  return simulate({ unit: 'users', ...shares, ...planted }, count, randomOf(seed))
}

/** Returns the upper bound of an observed share for a promised one: three standard errors more. */
const mostOf = (share: number, count: number) =>
  share + 3 * Math.sqrt((share * (1 - share)) / count)

test.group('health guard', () => {
  test('a healthy version reaches all in the hours of its rungs, or some days later with few users', async ({
    assert,
  }) => {
    const daysOf = async (daily: number, count: number) =>
      (await releases({ daily }, count))
        .map(({ days }) => days ?? Infinity)
        .sort((one, other) => one - other)
    assert.equal((await daysOf(50_000, 50))[45], 6, seedText)
    const few = await daysOf(5000, 100)
    assert.isTrue(few[50] >= 6 && few[50] < 9.5, `${few[50]}, ${seedText}`)
    assert.isTrue(few[90] < 16, `${few[90]}, ${seedText}`)
  })

  test('a version exceeds the share that its budget allows in at most 5 % of releases', async ({
    assert,
  }) => {
    const count = isLong ? 1000 : 60
    const cases = [2000, 5000, 50_000].flatMap((daily) =>
      [0.0051, 0.0101, 0.0251].map((drop) => ({ daily, drop }))
    )
    // The long run takes the cases that are drawn slowly.
    for (const planted of isLong ? cases : cases.slice(4)) {
      const all = await releases(planted, count)
      const part = all.filter(({ isBeyond }) => isBeyond).length / count
      assert.isAtMost(part, mostOf(0.05, count), `${JSON.stringify(planted)}, ${seedText}`)
    }
  }).timeout(900_000)

  test('the same holds if a fault hits the same users repeatedly', async ({ assert }) => {
    const count = isLong ? 1000 : 60
    for (const daily of isLong ? [2000, 5000] : [5000]) {
      const all = await releases({ daily, drop: 0.0101, recurrence: 1 / 6 }, count)
      const part = all.filter(({ isBeyond }) => isBeyond).length / count
      assert.isAtMost(part, mostOf(0.05, count), seedText)
      // Users on seven days are not seven times as many users.
      const healthy = await releases({ daily, recurrence: 1 / 6 }, count)
      const stopped = healthy.filter(({ isStopped }) => isStopped).length / count
      assert.isAtMost(stopped, mostOf(0.01, count), seedText)
    }
  }).timeout(900_000)

  test('at most 1 % of healthy versions are stopped, although one user crashes several times', async ({
    assert,
  }) => {
    const count = isLong ? 4000 : 200
    const given = { unit: 'sessions', daily: 15_000, waits: false } as const
    for (const [burst, lived] of [
      [1, 13],
      [3, 13],
      [6, 14],
    ]) {
      const all = await releases({ ...given, burst, lived }, count)
      const part = all.filter(({ isStopped }) => isStopped).length / count
      assert.isAtMost(part, mostOf(0.01, count), `${burst}, ${seedText}`)
    }
  }).timeout(900_000)

  test('a drop of half a point stops every third version that climbs by its hours alone', async ({
    assert,
  }) => {
    const all = await releases({ daily: 5000, drop: 0.005, waits: false }, 150)
    const stopped = all.filter(({ isStopped }) => isStopped).length / 150
    assert.isAbove(stopped, 0.15, seedText)
  })

  test('counts since an earlier rung can stop a version that those of one rung cannot', ({
    assert,
  }) => {
    const rung = (of: number, bad: number) => ({
      ...{ current: { of, bad }, baseline: { of: 35_000, bad: 175 } },
      effects: { current: 1, baseline: 2 },
    })
    const usual = { of: 35_000, bad: 175 }
    const [earlier, now] = [[rung(1000, 11), rung(2500, 29)], rung(2500, 29)]
    assert.notEqual(judge(now, [], usual, TERMS).verdict, 'unhealthy')
    assert.equal(judge(now, earlier, usual, TERMS).verdict, 'unhealthy')
    // Growth is allowed by the rung's own counts alone.
    const well = rung(2500, 12)
    const bound = (before: typeof earlier) => judge(well, before, usual, TERMS).greatestDrop
    assert.equal(bound(earlier), bound([]))
  })

  test('metrics and stages share the error bound', ({ assert }) => {
    const named = (name: string) => ({ name, total: `${name} total`, bad: `${name} bad` })
    const thresholdOf = (names: readonly string[], stages: number) => {
      const { guard } = policyFrom({ guard: { metrics: names.map(named) } })
      const counted = { current: { of: 10, bad: 0 }, baseline: { of: 10, bad: 0 }, share: 0.1 }
      const terms = { guard: guard!, stages, nextShare: 1 }
      return judgeMetric(terms, guard!.metrics[0], counted, []).threshold
    }
    assert.closeTo(thresholdOf(['a'], 7), 700, 1e-6)
    assert.closeTo(thresholdOf(['a', 'b', 'c'], 7), 2100, 1e-6)
    assert.closeTo(thresholdOf(['a', 'b'], 3), 600, 1e-6)
  })

  test('for a healthy version, the next share times the greatest drop is within the budget', ({
    assert,
  }) => {
    const sample = fc
      .tuple(fc.integer({ min: 0, max: 1e6 }), fc.nat(2000))
      .map(([of, bad]) => ({ of, bad: Math.min(of, bad) }))
    const share = fc.constantFrom(0.02, 0.1, 0.5, 1)
    fc.assert(
      fc.property(sample, fc.option(sample), share, (current, baseline, nextShare) => {
        const found = judged(current, baseline, { nextShare })
        if (found.verdict === 'healthy') {
          assert.isAtMost(nextShare * found.greatestDrop!, TERMS.harmBudget + 1e-12)
          assert.isAtLeast(found.allowedShare!, nextShare)
        }
        if (baseline === null || baseline.of === 0) assert.equal(found.missing, 'baseline')
        else if (current.of === 0) assert.equal(found.missing, 'sample')
        assert.equal(found.missing === null, found.verdict !== 'notEnoughData')
      })
    )
  })

  test('a version that may reach more users may reach fewer, and a greater budget allows no less', ({
    assert,
  }) => {
    const before = { of: 35_000, bad: 175 }
    const current = fc
      .tuple(fc.integer({ min: 1, max: 1e5 }), fc.nat(200))
      .map(([of, bad]) => ({ of, bad: Math.min(of, bad) }))
    fc.assert(
      fc.property(current, fc.double({ min: 0.001, max: 0.1, noNaN: true }), (sample, budget) => {
        const allowed = (harmBudget: number) => judged(sample, before, { harmBudget }).allowedShare!
        assert.isAtLeast(allowed(budget * 2), allowed(budget))
        const isHealthy = (nextShare: number) =>
          judged(sample, before, { nextShare, harmBudget: budget }).verdict === 'healthy'
        assert.isTrue(!isHealthy(1) || isHealthy(0.5))
      })
    )
  })

  test('the numbers support the verdict', ({ assert }) => {
    const found = judged({ of: 8000, bad: 80 }, { of: 48_000, bad: 96 })
    assert.containsSubset(found, { verdict: 'unhealthy', rate: 0.99, baselineRate: 0.998 })
    assert.closeTo(found.drop!, 0.008, 1e-9)
    assert.isAbove(found.evidence, found.threshold)
    const same = judged({ of: 30_000, bad: 60 }, { of: 48_000, bad: 96 })
    assert.equal(same.verdict, 'healthy')
    assert.isBelow(same.evidence, 1)
    const few = judged({ of: 300, bad: 1 }, { of: 48_000, bad: 96 })
    assert.deepEqual([few.verdict, few.missing], ['notEnoughData', 'certainty'])
    assert.equal(
      judged({ of: 300, bad: 1 }, { of: 48_000, bad: 96 }, { nextShare: 0.1 }).verdict,
      'healthy'
    )
    // One user's crashes are correlated: five times as many count the same.
    const bursts = judged({ of: 8000, bad: 40 }, { of: 48_000, bad: 96 }, { effect: 5 })
    assert.notEqual(bursts.verdict, 'unhealthy')
  })

  test('a tiny drop is no harm, and one crash is no evidence', ({ assert }) => {
    const none = judged({ of: 1e8, bad: 510_000 }, { of: 7e8, bad: 3_500_000 })
    assert.equal(none.verdict, 'healthy')
    const one = judged({ of: 20, bad: 4 }, { of: 1e6, bad: 10 })
    assert.notEqual(one.verdict, 'unhealthy')
  })

  test('numbers are finite for up to a thousand million cases', ({ assert }) => {
    const count = fc.nat(1e9)
    const sample = fc.tuple(count, count).map(([one, other]) => ({
      of: Math.max(one, other),
      bad: Math.min(one, other),
    }))
    fc.assert(
      fc.property(sample, sample, (current, baseline) => {
        const { evidence, greatestDrop, allowedShare } = judged(current, baseline)
        for (const each of [evidence, greatestDrop ?? 0, allowedShare ?? 0]) {
          assert.isTrue(Number.isFinite(each))
        }
      }),
      { numRuns: runs(50) }
    )
  })

  test('the tables of the documentation are those of the simulation', async ({ assert }) => {
    const page = readFileSync(
      new URL('../../../docs/explanation/health-guard.md', import.meta.url),
      'utf8'
    )
    for (const { head, lines } of Object.values(TABLES)) {
      for (const line of head) assert.include(page, line)
      // Each line follows from its own seed: the long run draws them all.
      for (const { isQuick, draw } of lines) {
        if (isQuick || isLong) assert.include(page, await draw())
      }
    }
  }).timeout(3_600_000)
})
