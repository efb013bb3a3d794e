import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { VirtualClock } from '../../../core/clock.js'
import { randomText } from '../../../core/ids.js'
import { MemoryCounts } from '../memory_counts.js'
import { Quota, type QuotaSettings } from '../quota.js'

const DEFAULTS: QuotaSettings = { perSecond: 5, perDay: 8000, failuresPerMinute: 30 }

async function makeQuota(settings: Partial<QuotaSettings> = {}) {
  const clock = new VirtualClock('2026-11-20T09:35:28.000Z')
  const limiter = await app.container.make('limiter.manager')
  const counts = new MemoryCounts(() => clock.milliseconds())
  const quota = new Quota({ ...DEFAULTS, ...settings }, limiter, counts)
  return { quota, clock, limiter, organization: `org_${randomText(20)}` }
}

test.group('Quota', () => {
  test('returns the limits in headers, in both forms', async ({ assert }) => {
    const { quota, organization } = await makeQuota()
    const { refusal, headers } = await quota.take(organization)
    assert.isNull(refusal)
    assert.deepEqual(headers, {
      'ratelimit-policy': '"burst";q=5;w=1, "daily";q=8000;w=86400',
      'ratelimit': '"burst";r=4;t=1, "daily";r=7999;t=51872',
      'x-ratelimit-limit': '8000',
      'x-ratelimit-remaining': '7999',
      'x-ratelimit-reset': String(Date.parse('2026-11-21T00:00:00Z') / 1000),
    })
  })

  test('refuses the 6th request of a second, which does not count for the day', async ({
    assert,
  }) => {
    const { quota, clock, organization } = await makeQuota()
    for (let count = 0; count < 5; count++) {
      assert.isNull((await quota.take(organization)).refusal)
    }
    for (let count = 0; count < 3; count++) {
      const { refusal, headers } = await quota.take(organization)
      assert.equal(refusal?.code, 'rate_limited')
      assert.deepEqual(refusal?.headers, { 'retry-after': '1' })
      assert.equal(headers['x-ratelimit-remaining'], '7995')
    }
    clock.advance(1000)
    const { headers } = await quota.take(organization)
    assert.equal(headers['x-ratelimit-remaining'], '7994')
  })

  test('admits urgent requests over both limits, with a limit per second of their own', async ({
    assert,
  }) => {
    const { quota, clock, organization } = await makeQuota({ perDay: 4 })
    for (let count = 0; count < 4; count++) await quota.take(organization)
    assert.equal((await quota.take(organization)).refusal?.code, 'daily_limit_reached')
    for (let count = 0; count < 5; count++) {
      const { refusal, headers } = await quota.take(organization, true)
      assert.isNull(refusal)
      assert.equal(headers['x-ratelimit-remaining'], '0')
    }
    assert.isNotNull((await quota.take(organization, true)).refusal)
    clock.advance(1000)
    assert.isNull((await quota.take(organization, true)).refusal)
  })

  test('refuses requests over the daily limit until midnight UTC', async ({ assert }) => {
    const { quota, clock, organization } = await makeQuota({ perDay: 4 })
    for (let count = 0; count < 3; count++) await quota.take(organization)
    const last = await quota.take(organization)
    assert.isNull(last.refusal)
    assert.equal(last.headers['x-ratelimit-remaining'], '0')
    const { refusal } = await quota.take(organization)
    assert.equal(refusal?.code, 'daily_limit_reached')
    assert.deepEqual(refusal?.headers, { 'retry-after': '51872' })
    clock.travelTo('2026-11-20T23:59:59.999Z')
    assert.deepEqual((await quota.take(organization)).refusal?.headers, {
      'retry-after': '1',
    })
    clock.travelTo('2026-11-21T00:00:00.000Z')
    const nextDay = await quota.take(organization)
    assert.isNull(nextDay.refusal)
    assert.equal(nextDay.headers['x-ratelimit-remaining'], '3')
  })

  test('admits exactly as many requests as a small daily limit', async ({ assert }) => {
    const { quota, clock, organization } = await makeQuota({ perDay: 12 })
    const refused: boolean[] = []
    for (let count = 0; count < 15; count++) {
      clock.advance(250)
      refused.push((await quota.take(organization)).refusal !== null)
    }
    assert.deepEqual(refused, [...Array(12).fill(false), ...Array(3).fill(true)])
  })

  test('blocks an address that fails too often, but no other', async ({ assert }) => {
    const { quota } = await makeQuota({ failuresPerMinute: 3 })
    const [address, other] = [randomText(12), randomText(12)]
    for (let count = 0; count < 3; count++) assert.isNull(await quota.countFailure(address))
    const refusal = await quota.countFailure(address)
    assert.equal(refusal?.code, 'too_many_failures')
    const seconds = Number(refusal?.headers['retry-after'])
    assert.isTrue(seconds >= 1 && seconds <= 60)
    assert.isNull(await quota.countFailure(other))
  })

  test('counts the failures of an address anew after the clock was set back', async ({
    assert,
  }) => {
    const { quota, limiter } = await makeQuota({ failuresPerMinute: 3 })
    const address = randomText(12)
    await limiter.use({ requests: 3, duration: '1 minute' }).set(`failures:${address}`, 3, '1 day')
    for (let count = 0; count < 3; count++) assert.isNull(await quota.countFailure(address))
    const refusal = await quota.countFailure(address)
    assert.isAtMost(Number(refusal?.headers['retry-after']), 60)
  })
})
