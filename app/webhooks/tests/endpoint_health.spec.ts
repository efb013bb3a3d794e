import fc from 'fast-check'
import { test } from '@japa/runner'
import { later, type Instant } from '#foundation/core/clock'
import { HEALTHY, healthAfter, type EndpointHealth, type Verdict } from '#webhooks/endpoint_health'
import { DAY, HOUR } from '#foundation/core/durations'

const START = '2026-11-20T18:50:14.123Z'
const failed: Verdict = { delivered: false, disable: null }
const delivered: Verdict = { delivered: true, disable: null }

function play(verdicts: { verdict: Verdict; at: Instant }[]) {
  let health: EndpointHealth = HEALTHY
  const notices: string[] = []
  for (const { verdict, at } of verdicts) {
    const step = healthAfter(health, verdict, at)
    health = step.health
    if (step.notice) notices.push(step.notice)
  }
  return { health, notices }
}

const every = (wait: number, count: number, verdict = failed, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    verdict,
    at: later(START, from + index * wait),
  }))

test.group('Endpoint health', () => {
  test('nine consecutive failures leave it active, the tenth degrades it', ({ assert }) => {
    assert.equal(play(every(1000, 9)).health.status, 'active')
    const { health, notices } = play(every(1000, 10))
    assert.equal(health.status, 'degraded')
    assert.deepEqual(notices, ['degraded'])
  })

  test('one success makes it healthy again', ({ assert }) => {
    const { health, notices } = play([
      ...every(1000, 12),
      { verdict: delivered, at: later(START, HOUR) },
    ])
    assert.deepEqual(health, HEALTHY)
    assert.deepEqual(notices, ['degraded', 'recovered'])
  })

  test('hourly failures lead to two warnings, and disable it after five days', ({ assert }) => {
    const { health, notices } = play(every(HOUR, 6 * 24))
    assert.deepEqual(notices, ['degraded', 'warning', 'warning', 'disabled'])
    assert.equal(health.disabledReason, 'noSuccessForFiveDays')
    assert.equal(play(every(HOUR, 5 * 24)).health.status, 'degraded')
    assert.equal(play(every(HOUR, 5 * 24 + 1)).health.status, 'disabled')
  })

  test('a failure after a week of silence warns a day before it is disabled', ({ assert }) => {
    const quiet = [...every(1000, 10), ...every(HOUR, 24, failed, 7 * DAY)]
    assert.deepEqual(play(quiet).notices, ['degraded', 'warning'])
    const day = [...quiet, ...every(HOUR, 1, failed, 8 * DAY)]
    assert.deepEqual(play(day).notices, ['degraded', 'warning', 'disabled'])
  })

  test('a receiver that is gone or asks for it is disabled at once, even after a delivery', ({
    assert,
  }) => {
    const gone = healthAfter(HEALTHY, { delivered: false, disable: 'gone' }, START)
    assert.equal(gone.health.disabledReason, 'gone')
    const requested = healthAfter(HEALTHY, { delivered: true, disable: 'askedByReceiver' }, START)
    assert.equal(requested.health.disabledReason, 'askedByReceiver')
    assert.equal(requested.notice, 'disabled')
  })

  test('no sequence of attempts enables a disabled one, disables a successful one or skips a warning', ({
    assert,
  }) => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 2 * DAY })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(steps, (sequence) => {
        let at = START
        let health: EndpointHealth = HEALTHY
        const notices: string[] = []
        for (const [success, wait] of sequence) {
          at = later(at, wait)
          const before = health
          const step = healthAfter(before, success ? delivered : failed, at)
          health = step.health
          if (step.notice) notices.push(step.notice)
          if (before.status === 'disabled') assert.equal(health, before)
          else if (success) assert.equal(health.status, 'active')
          if (step.notice === 'disabled') assert.equal(notices.at(-2), 'warning')
          if (health.status === 'degraded') assert.isAtLeast(health.failures, 10)
        }
      })
    )
  })
})
