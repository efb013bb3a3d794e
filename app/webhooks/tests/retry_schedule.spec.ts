import fc from 'fast-check'
import { test } from '@japa/runner'
import {
  MAX_ATTEMPTS,
  RETRY_STEPS,
  probeWait,
  readRetryAfter,
  retryWait,
} from '#webhooks/retry_schedule'
import { HOUR } from '#foundation/core/durations'

const NOW = Date.parse('2026-11-20T18:50:14.000Z')
const noJitter = () => 0
const refused = { status: 500, timedOut: false }

const attempts = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 })
const randoms = fc.double({ min: 0, max: 0.999999, noNaN: true })
const failures = fc.record(
  {
    status: fc.constantFrom(301, 400, 404, 429, 500, 502, 503, 504),
    timedOut: fc.boolean(),
    retryAfter: fc.integer({ min: 0, max: 100 * HOUR }),
  },
  { requiredKeys: ['timedOut'] }
)

test.group('Retry schedule', () => {
  test('without chance it is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, then the end', ({
    assert,
  }) => {
    const waits = Array.from({ length: MAX_ATTEMPTS }, (_, made) =>
      retryWait(made + 1, refused, noJitter)
    )
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440].map((each) => each * 60_000)
    assert.deepEqual(waits, [...minutes, null])
  })

  test('jitter is only added, at most a tenth', ({ assert }) => {
    fc.assert(
      fc.property(attempts, randoms, (made, random) => {
        const wait = retryWait(made, refused, () => random)!
        assert.isAtLeast(wait, RETRY_STEPS[made])
        assert.isAtMost(wait, RETRY_STEPS[made] * 1.1)
      })
    )
  })

  test('whatever the receiver asks for, the wait lies between the step and max(2 x step, 1 h)', ({
    assert,
  }) => {
    fc.assert(
      fc.property(attempts, failures, randoms, (made, failure, random) => {
        const wait = retryWait(made, failure, () => random)!
        assert.isAtLeast(wait, RETRY_STEPS[made])
        assert.isAtMost(wait, Math.max(2 * RETRY_STEPS[made], HOUR))
      })
    )
  })

  test('overload and timeouts wait at least a minute', ({ assert }) => {
    fc.assert(
      fc.property(attempts, failures, randoms, (made, failure, random) => {
        fc.pre(failure.timedOut || [429, 502, 503, 504].includes(failure.status ?? 0))
        assert.isAtLeast(
          retryWait(made, failure, () => random)!,
          60_000
        )
      })
    )
  })

  test('a Retry-After between the step and the limit is respected exactly', ({ assert }) => {
    assert.equal(retryWait(1, { ...refused, retryAfter: 90_000 }, noJitter), 90_000)
    assert.equal(retryWait(1, { ...refused, retryAfter: 1000 }, noJitter), 5000)
    assert.equal(retryWait(1, { ...refused, retryAfter: 2 * HOUR }, noJitter), HOUR)
    assert.equal(retryWait(5, { ...refused, retryAfter: 9 * HOUR }, noJitter), 9 * HOUR)
    assert.equal(retryWait(5, { ...refused, retryAfter: 11 * HOUR }, noJitter), 10 * HOUR)
  })

  test('probes come after 5, 10, 20, 40 and then every 60 minutes', ({ assert }) => {
    const waits = [1, 2, 3, 4, 5, 6, 500].map((made) => probeWait(made, refused, noJitter) / 60_000)
    assert.deepEqual(waits, [5, 10, 20, 40, 60, 60, 60])
  })
})

test.group('Retry-After', () => {
  test('seconds and HTTP dates are read, anything else is not', ({ assert }) => {
    assert.equal(readRetryAfter('120', NOW), 120_000)
    assert.equal(readRetryAfter(' 0 ', NOW), 0)
    assert.equal(readRetryAfter('Fri, 20 Nov 2026 18:51:14 GMT', NOW), 60_000)
    assert.equal(readRetryAfter('Fri, 20 Nov 2026 18:00:00 GMT', NOW), 0)
    for (const value of [undefined, '', 'soon', '-5', '1.5', '12345678901', '2026-11-20']) {
      assert.isUndefined(readRetryAfter(value, NOW), String(value))
    }
  })
})
