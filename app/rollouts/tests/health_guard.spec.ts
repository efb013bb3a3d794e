import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { test } from '@japa/runner'
import { judge } from '../guard/judge.js'
import { guardTable, randomOf, SETTING, simulateRelease } from './simulated_guard.js'

const bounds = { errorBound: 0.01, minimumSample: 1000, tolerance: 0.0025 }
const RELEASES = 3000

/** What became of many releases; the seed is said where it is another each time. */
function simulate(now: number, perHour: number) {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
  const random = randomOf(seed)
  const planted = { before: 0.998, now, perHour, ...SETTING }
  const all = Array.from({ length: RELEASES }, () => simulateRelease(planted, random))
  const share = (is: (found: (typeof all)[number]) => boolean) => all.filter(is).length / RELEASES
  return { share, seed: `TEST_SEED=${seed}` }
}

test.group('health guard', () => {
  test('a drop from 99.8 to 99.3 % at 2,000 sessions an hour is found by the second look', ({
    assert,
  }) => {
    const { share, seed } = simulate(0.993, 2000)
    const found = share(({ unhealthyAt }) => unhealthyAt !== null && unhealthyAt <= 2)
    assert.isAtLeast(found, 0.99, seed)
    assert.equal(
      share(({ unhealthyAt }) => unhealthyAt !== null && unhealthyAt <= 4),
      1,
      seed
    )
  })

  test('without a drop at most 1 % of releases are ever halted, however often it is looked', ({
    assert,
  }) => {
    for (const perHour of [200, 1000, 5000]) {
      const { share, seed } = simulate(0.998, perHour)
      assert.isAtMost(
        share(({ unhealthyAt }) => unhealthyAt !== null),
        0.01,
        seed
      )
    }
  })

  test('with the drop that is tolerated, or more, hardly any is called healthy', ({ assert }) => {
    const { share, seed } = simulate(0.998 - bounds.tolerance, 2000)
    // It is judged anew in each stage, and halted in most before that.
    assert.isAtMost(
      share(({ healthyAt }) => healthyAt !== null),
      0.05 * SETTING.stages,
      seed
    )
    const worse = simulate(0.993, 2000)
    assert.isAtMost(
      worse.share(({ healthyAt }) => healthyAt !== null),
      0.01,
      worse.seed
    )
  })

  test('too little to go by is never healthy, nor is a version without one before', ({
    assert,
  }) => {
    const sample = fc.record({ of: fc.nat(5000), bad: fc.nat(20) })
    fc.assert(
      fc.property(sample, fc.option(sample), (one, other) => {
        const current = { ...one, bad: Math.min(one.of, one.bad) }
        const baseline = other && { ...other, bad: Math.min(other.of, other.bad) }
        const { verdict, missing } = judge(current, baseline, bounds)
        const isShort = Math.min(current.of, baseline?.of ?? 0) < bounds.minimumSample
        if (isShort) assert.equal(verdict, 'notEnoughData')
        assert.equal(missing === null, verdict !== 'notEnoughData')
      })
    )
  })

  test('the numbers stand behind the word', ({ assert }) => {
    const found = judge({ of: 8000, bad: 56 }, { of: 48_000, bad: 96 }, bounds)
    assert.containsSubset(found, { verdict: 'unhealthy', rate: 0.993, baselineRate: 0.998 })
    assert.closeTo(found.drop!, 0.005, 1e-9)
    assert.isAbove(found.evidence, found.threshold)
    const same = judge({ of: 30_000, bad: 60 }, { of: 48_000, bad: 96 }, bounds)
    assert.equal(same.verdict, 'healthy')
    assert.isBelow(same.evidence, 1)
    const better = judge({ of: 30_000, bad: 0 }, { of: 48_000, bad: 96 }, bounds)
    assert.equal(better.verdict, 'healthy')
    const few = judge({ of: 2000, bad: 4 }, { of: 48_000, bad: 96 }, bounds)
    assert.deepEqual([few.verdict, few.missing], ['notEnoughData', 'certainty'])
    const rare = judge({ of: 2000, bad: 4 }, { of: 4_000_000, bad: 8 }, bounds)
    assert.notEqual(rare.verdict, 'unhealthy')
  })

  test('numbers are numbers whatever is sent', ({ assert }) => {
    const count = fc.nat(Number.MAX_SAFE_INTEGER)
    const sample = fc.tuple(count, count).map(([one, other]) => ({
      of: Math.max(one, other),
      bad: Math.min(one, other),
    }))
    fc.assert(
      fc.property(sample, sample, (current, baseline) => {
        const { evidence, evidenceOfHealth } = judge(current, baseline, bounds)
        assert.isTrue(Number.isFinite(evidence) && Number.isFinite(evidenceOfHealth))
      })
    )
  })

  test('the table of the documentation is what the simulation gives', ({ assert }) => {
    const page = readFileSync(new URL('../../../docs/rollouts.md', import.meta.url), 'utf8')
    assert.include(page, guardTable())
  })
})
