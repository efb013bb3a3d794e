import fc from 'fast-check'
import { test } from '@japa/runner'
import { GrowingShare, lowerOfFixed, pooled, priorAround, type Sample } from '../guard/bounds.js'
import { designEffects, estimatedEffect, ONE_SPAN } from '../guard/design_effect.js'
import { incompleteBeta, logBeta, logGamma } from '../guard/special_functions.js'
import { drawBad, drawBursts, randomOf } from './draws.js'
import { runs } from '#tests/support/effort'

const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000_000)
const seedText = `TEST_SEED=${seed}`

/** Samples of up to a thousand million cases. */
const samples = fc
  .tuple(fc.integer({ min: 1, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([of, share]): Sample => ({ of, bad: Math.round(of * share ** 4) }))
const errors = fc.constantFrom(0.05, 0.03, 0.001)

test.group('special functions', () => {
  test('the logarithm of the gamma function has its known values', ({ assert }) => {
    let factorial = 1
    for (let n = 1; n <= 20; n++) {
      assert.closeTo(logGamma(n), Math.log(factorial), 1e-11)
      factorial *= n
    }
    assert.closeTo(logGamma(0.5), Math.log(Math.PI) / 2, 1e-12)
    assert.closeTo(logGamma(100), 359.134_205_369_575_4, 1e-10)
    assert.closeTo(logGamma(1e9) / 19_723_265_827.504_33, 1, 1e-12)
  })

  test('the incomplete beta function is the tail of the binomial distribution', ({ assert }) => {
    const chances = (n: number, p: number) =>
      Array.from(
        { length: n + 1 },
        (_, k) =>
          Math.exp(-Math.log(n + 1) - logBeta(k + 1, n - k + 1)) * p ** k * (1 - p) ** (n - k)
      )
    for (const [n, p] of [
      [10, 0.3],
      [40, 0.02],
      [25, 0.9],
    ] as const) {
      for (let k = 1; k <= n; k++) {
        const tail = chances(n, p)
          .slice(k)
          .reduce((sum, each) => sum + each, 0)
        assert.closeTo(incompleteBeta(p, k, n - k + 1), tail, 1e-11)
      }
    }
    assert.closeTo(incompleteBeta(0.5, 5e8, 5e8), 0.5, 1e-4)
  })
})

test.group('bounds of a bad share', () => {
  test('the lower bound of a fixed sample is that of Clopper and Pearson', ({ assert }) => {
    assert.closeTo(lowerOfFixed({ of: 10, bad: 3 }, 0.025), 0.066_739_5, 1e-6)
    assert.equal(lowerOfFixed({ of: 300, bad: 0 }, 0.05), 0)
  })

  test('enclose the counted share, at any size, and more tightly for greater errors', ({
    assert,
  }) => {
    fc.assert(
      fc.property(samples, samples, errors, (sample, before, error) => {
        const share = sample.bad / sample.of
        const growing = new GrowingShare(sample, priorAround(before))
        const upper = growing.upper(error)
        const least = lowerOfFixed(sample, error)
        for (const each of [upper, least]) assert.isTrue(each >= 0 && each <= 1)
        assert.isTrue(upper >= share && least <= share)
        assert.isTrue(Number.isFinite(growing.logEvidenceOfChange(before)))
        assert.isAtMost(growing.upper(error * 2), upper)
        assert.isTrue(Number.isFinite(growing.logEvidence(Math.min(0.999, share + 0.001))))
      }),
      { numRuns: runs(300) }
    )
  })

  test('the upper bound of a growing sample falls with successes, and rises with failures', ({
    assert,
  }) => {
    const counts = fc.tuple(
      fc.integer({ min: 1, max: 1e6 }),
      fc.nat(50),
      fc.integer({ min: 1, max: 1e5 })
    )
    fc.assert(
      fc.property(counts, ([of, bad, more]) => {
        const prior = priorAround({ of: 35_000, bad: 175 })
        const at = (sample: Sample) => new GrowingShare(sample, prior).upper(0.03)
        const sample = { of: of + bad, bad }
        assert.isAtMost(at({ of: sample.of + more, bad }), at(sample) + 1e-9)
        assert.isAtLeast(
          at({ of: sample.of, bad: Math.min(sample.of, bad + 1) }),
          at(sample) - 1e-9
        )
      })
    )
  })

  test('hold at all checks together as often as promised, whatever the previous version was', ({
    assert,
  }) => {
    const random = randomOf(seed)
    for (const [share, before] of [
      [0.005, { of: 35_000, bad: 175 }],
      [0.02, { of: 35_000, bad: 175 }],
      [0.001, { of: 500, bad: 20 }],
    ] as const) {
      let wrong = 0
      for (let run = 0; run < 1000; run++) {
        const prior = priorAround(before)
        const sample = { of: 0, bad: 0 }
        for (let look = 0; look < 40; look++) {
          const more = 10 + look * 10
          sample.of += more
          sample.bad += drawBad(more, share, random)
          if (new GrowingShare(sample, prior).logEvidence(share) < -Math.log(0.05)) continue
          wrong++
          break
        }
      }
      // Allows three standard errors for this number of runs.
      assert.isAtMost(wrong / 1000, 0.05 + 3 * Math.sqrt((0.05 * 0.95) / 1000), seedText)
    }
  })
})

test.group('design effect', () => {
  test('is estimated from fourteen days, and not too small', ({ assert }) => {
    const random = randomOf(seed)
    for (const [burst, effect] of [
      [1, 1],
      [3, 5],
      [6, 11],
    ] as const) {
      const found = Array.from({ length: 400 }, () => {
        const days = Array.from({ length: 14 }, () => ({
          of: 15_000,
          bad: drawBursts(15_000, 0.005, burst, random),
        }))
        return estimatedEffect(days)!
      })
      const mean = found.reduce((sum, each) => sum + each, 0) / found.length
      assert.isTrue(mean > effect && mean < 1.7 * effect, `${burst}: ${mean}, ${seedText}`)
      const isEnough = found.filter((each) => each >= effect).length / found.length
      assert.isAbove(isEnough, 0.65, seedText)
    }
  })

  test('has a default until then: five for sessions, up to two for users of several days', ({
    assert,
  }) => {
    const days = Array.from({ length: 13 }, () => ({ of: 1000, bad: 5 }))
    const value = (unit: 'users' | 'sessions', current: number, baseline: number) => {
      const found = designEffects(unit, days, { current, baseline }, 1)
      assert.isFalse(found.current.isEstimated)
      return [found.current.value, found.baseline]
    }
    assert.deepEqual(value('sessions', 1, 1), [5, 5])
    assert.deepEqual(value('users', 1, 1), [1, 1])
    assert.deepEqual(value('users', 4, 7), [1.5, 2])
    assert.deepEqual(value('users', 30, 7), [2, 2])
    const known = designEffects('sessions', [...days, { of: 1000, bad: 5 }], ONE_SPAN, 1)
    assert.deepEqual(known, { current: { value: 1, isEstimated: true }, baseline: 1 })
  })

  test('users who come once a week are not counted again', ({ assert }) => {
    const days = Array.from({ length: 13 }, () => ({ of: 1000, bad: 5, visits: 1 }))
    const { current, baseline } = designEffects('users', days, { current: 7, baseline: 7 }, 1)
    assert.deepEqual([current.value, baseline], [1, 1])
  })

  test('variation between days is proportional to the share of users', ({ assert }) => {
    const random = randomOf(seed)
    const values = Array.from({ length: 200 }, () => {
      const days = Array.from({ length: 14 }, (_, day) => {
        const share = 0.005 * (day % 2 === 0 ? 0.9 : 1.1)
        return { of: 500_000, bad: drawBad(500_000, share, random) }
      })
      const at = (share: number) =>
        designEffects('users', days, { current: 1, baseline: 7 }, share).current.value - 1
      assert.closeTo(at(0.01), at(1) / 100, 1e-9)
      return at(1)
    })
    const middle = values.sort((one, other) => one - other)[100]
    // The variance of the share is 0.01 of its square; 2,500 users crash.
    assert.isTrue(middle > 22 && middle < 31, `${middle}, ${seedText}`)
  })
})

test.group('pooled counts of several spans', () => {
  test('are compared with the share that is expected of all together', ({ assert }) => {
    const day = { current: { of: 300, bad: 3 }, baseline: { of: 7000, bad: 70 } }
    const hours = { current: { of: 100, bad: 0 }, baseline: { of: 2000, bad: 4 } }
    const { current, baseline } = pooled([day, hours])
    assert.deepEqual(current, { of: 400, bad: 3 })
    assert.closeTo(baseline.bad / baseline.of, (300 * 0.01 + 100 * 0.002) / 400, 1e-12)
    assert.isTrue(baseline.of > 2000 && baseline.of < 7000)
    assert.deepEqual(pooled([day]), day)
  })
})
