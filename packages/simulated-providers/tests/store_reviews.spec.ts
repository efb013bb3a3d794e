import { test } from '@japa/runner'
import fc from 'fast-check'
import { DAY } from '../durations.js'
import { reviewsUntil } from '../store_reviews.js'

const BEGIN = Date.parse('2026-11-20T12:00:00.000Z')

test.group('Reviews in simulated stores', () => {
  test('reviews never change, and none is of a version that is no longer available', ({
    assert,
  }) => {
    const given = fc.record({
      seed: fc.string(),
      lasted: fc.option(fc.integer({ min: 0, max: 20 }), { nil: null }),
      days: fc.integer({ min: 0, max: 60 }),
      more: fc.integer({ min: 0, max: 10 }),
    })
    fc.assert(
      fc.property(given, ({ seed, lasted, days, more }) => {
        const until = lasted === null ? null : BEGIN + lasted * DAY
        const outs = [{ version: '1.0.0', from: BEGIN, until }]
        const at = (day: number) =>
          reviewsUntil(seed, outs, { now: BEGIN + day * DAY, everyMs: DAY / 4 })
        const [early, late] = [at(days), at(days + more)]
        assert.deepEqual(
          late.filter((each) => early.some(({ id }) => id === each.id)),
          [...early]
        )
        const times = late.map((each) => each.at)
        assert.deepEqual(
          times,
          [...times].sort((one, other) => other - one)
        )
        for (const each of late) {
          assert.isAtMost(each.at, until ?? BEGIN + (days + more) * DAY)
          assert.isTrue(each.rating >= 1 && each.rating <= 5)
        }
      })
    )
    assert.deepEqual(reviewsUntil('s', [], { now: BEGIN, everyMs: DAY }), [])
  })
})
