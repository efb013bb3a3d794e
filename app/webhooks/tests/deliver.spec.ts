import { test } from '@japa/runner'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { RETRY_STEPS } from '#webhooks/retry_schedule'
import { HOUR, MINUTE } from '#foundation/core/durations'
import { Receiver, type Received } from './support/receiver.js'
import { Stage } from './support/stage.js'

function verify(secret: string, { body, headers }: Received) {
  const plain = headers as Record<string, string>
  new StandardWebhook(secret).verify(body, plain)
  new SvixWebhook(secret).verify(body, plain)
}

test.group('Delivering webhooks', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  async function listen(reply?: Receiver['reply']): Promise<Receiver> {
    const receiver = await new Receiver(reply).start()
    receivers.push(receiver)
    return receiver
  }

  test('an event arrives as it is stored, with a signature that two libraries verify', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const url = `${receiver.url}?token=s3cret`
    const { row, secret } = await stage.endpoint(url, { headers: { 'X-Team': 'ios' } })
    await stage.record({ note: 'été 🚀' })
    await stage.drain()

    assert.lengthOf(receiver.received, 1)
    const [got] = receiver.received
    assert.doesNotThrow(() => verify(secret, got))
    const [event] = await stage.world.events()
    assert.deepEqual(got.payload, event.payload)
    assert.equal(got.headers['webhook-id'], event.payload.id)
    assert.equal(got.headers['content-type'], 'application/json')
    assert.equal(got.headers['x-team'], 'ios')

    const [delivery] = await stage.deliveries(row.id)
    assert.containsSubset(delivery, { status: 'succeeded', attempt_count: 1, claim_id: null })
    const [attempt] = await stage.attempts(delivery.id)
    assert.containsSubset(attempt, { kind: 'first', status_code: 204, remote_address: '127.0.0.1' })
    // The query may contain a token, so the log hides it.
    assert.equal(got.path, '/hook?token=s3cret')
    assert.equal(attempt.url, `${receiver.url}?…`)
    const after = await stage.endpointRow(row.id)
    assert.isNull(after.wake_at)
    assert.isNotNull(after.last_success_at)
  })

  test('a failing event is tried ten times on schedule with one id, then has failed', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    receiver.answer(500)
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({})
    await stage.drain()
    for (const [index, step] of RETRY_STEPS.entries()) {
      if (index === 0) continue
      await stage.pass(step - 1)
      assert.lengthOf(receiver.received, index, `too early before attempt ${index + 1}`)
      await stage.pass(1)
      assert.lengthOf(receiver.received, index + 1, `attempt ${index + 1}`)
    }
    await stage.pass(48 * HOUR)
    assert.lengthOf(receiver.received, 10)
    assert.lengthOf([...new Set(receiver.received.map((each) => each.headers['webhook-id']))], 1)
    const stamps = receiver.received.map((each) => Number(each.headers['webhook-timestamp']))
    assert.deepEqual([...new Set(stamps)], stamps)
    const [delivery] = await stage.deliveries(row.id)
    assert.containsSubset(delivery, { status: 'failed', attempt_count: 10, next_attempt_at: null })
    const after = await stage.endpointRow(row.id)
    assert.containsSubset(after, { status: 'degraded', failures: 10 })
  })

  test('a redirect is a failure and is not followed', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    receiver.answer(302, { location: '/elsewhere' })
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({})
    await stage.drain()
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/hook']
    )
    const [delivery] = await stage.deliveries(row.id)
    assert.containsSubset(delivery, { status: 'pending', last_status_code: 302 })
  })

  test('Retry-After moves the next attempt', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    receiver.answer(503, { 'retry-after': '600' })
    await stage.endpoint(receiver.url)
    await stage.record({})
    await stage.drain()
    receiver.answer(204)
    await stage.pass(10 * MINUTE - 1)
    assert.lengthOf(receiver.received, 1)
    await stage.pass(1)
    assert.lengthOf(receiver.received, 2)
  })

  for (const [name, status, headers, reason] of [
    ['410', 410, {}, 'gone'],
    ['webhook-delivery: disable', 200, { 'webhook-delivery': 'disable' }, 'askedByReceiver'],
  ] as const) {
    test(`${name} disables the endpoint and holds the rest`, async ({ assert }) => {
      const stage = await Stage.set()
      const receiver = await listen()
      receiver.answer(status, headers)
      const { row } = await stage.endpoint(receiver.url)
      await stage.record({}, {}, {})
      await stage.drain()
      await stage.pass(24 * HOUR)
      assert.lengthOf(receiver.received, 1)
      const after = await stage.endpointRow(row.id)
      assert.containsSubset(after, { status: 'disabled', disabled_reason: reason })
      const statuses = (await stage.deliveries(row.id)).map((each) => each.status)
      assert.deepEqual(statuses, [status === 410 ? 'held' : 'succeeded', 'held', 'held'])
    })
  }

  test('events of one entity arrive in order, others do not wait for them', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen((received, response) => {
      response.writeHead(received.payload.note === 'bad' ? 500 : 204).end()
    })
    await stage.endpoint(receiver.url)
    await stage.record(
      { entity: 'a', note: 'bad' },
      { entity: 'a' },
      { entity: 'b' },
      { entity: 'a' },
      { entity: 'b' }
    )
    await stage.drain()
    assert.sameMembers(receiver.sequences, [1, 3, 5])
    assert.isBelow(receiver.sequences.indexOf(3), receiver.sequences.indexOf(5))
    await stage.pass(4 * MINUTE, 4)
    assert.notIncludeMembers(receiver.sequences, [2])
    await stage.pass(MINUTE)
    assert.deepEqual(receiver.sequences.slice(-2), [2, 4])
  })

  test('an endpoint gets at most four at a time', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen((_received, response) => {
      setTimeout(() => response.writeHead(204).end(), 15)
    })
    await stage.endpoint(receiver.url)
    await stage.record(...Array.from({ length: 20 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    assert.lengthOf(receiver.received, 20)
    assert.equal(receiver.mostOpen, 4)
  })

  test('a throttled endpoint gets at most its number of events per second', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    await stage.endpoint(receiver.url, { maxPerSecond: 2 })
    await stage.record(...Array.from({ length: 7 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
    await stage.pass(999)
    assert.lengthOf(receiver.received, 2)
    await stage.pass(1)
    assert.lengthOf(receiver.received, 4)
    await stage.pass(2000, 2)
    assert.lengthOf(receiver.received, 7)
  })

  test('filters by event, app and platform decide who gets what', async ({ assert }) => {
    const stage = await Stage.set()
    const { organizationId } = stage.world
    const [all, some, apps, platforms] = [
      await listen(),
      await listen(),
      await listen(),
      await listen(),
    ]
    const ids = { ios: `ios-${organizationId}`, android: `android-${organizationId}` }
    await stage.world.write((scope) =>
      scope.insertStored(
        'apps',
        Object.entries(ids).map(([platform, id]) => ({
          id,
          name: platform,
          platform,
          settings: '{}',
          branch_settings: '{}',
          tag_settings: '{}',
          feature_affiliations: '[]',
          app_store_release_settings: '{}',
          created_at: scope.now,
          updated_at: scope.now,
        }))
      )
    )
    await stage.endpoint(all.url)
    await stage.endpoint(some.url, { events: ['release.released'] })
    await stage.endpoint(apps.url, { appIds: [ids.ios] })
    await stage.endpoint(platforms.url, { platforms: ['android'] })
    await stage.record(
      { type: 'release.created', appId: ids.ios },
      { type: 'release.released', appId: ids.android },
      { type: 'release.released' }
    )
    await stage.drain()
    assert.deepEqual(all.sequences, [1, 2, 3])
    assert.deepEqual(some.sequences, [2, 3])
    assert.deepEqual(apps.sequences, [1])
    assert.deepEqual(platforms.sequences, [2])
  })

  test('the platform filter ignores an app of another organization with the same id', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    await stage.endpoint(receiver.url, { platforms: ['android'] })
    const appId = await makeApp(await makeWorld(), { platform: 'android' })
    await stage.record({ appId })
    await stage.drain()
    assert.isEmpty(receiver.sequences)
  })

  test('a degraded endpoint is probed with its oldest event, then gets all', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    receiver.answer(500)
    const { row } = await stage.endpoint(receiver.url)
    await stage.record(...Array.from({ length: 15 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    const degraded = await stage.endpointRow(row.id)
    assert.equal(degraded.status, 'degraded')
    const before = receiver.received.length
    assert.isAtMost(before, 13)
    await stage.pass(5 * MINUTE - 1)
    assert.lengthOf(receiver.received, before)
    await stage.pass(1)
    assert.lengthOf(receiver.received, before + 1)
    assert.equal(receiver.sequences.at(-1), 1)
    receiver.answer(204)
    await stage.pass(10 * MINUTE)
    const after = await stage.endpointRow(row.id)
    assert.containsSubset(after, { status: 'active', failures: 0 })
    // Earlier failures have their own retries, which are due by now.
    const statuses = (await stage.deliveries(row.id)).map((each) => each.status)
    assert.deepEqual([...new Set(statuses)], ['succeeded'])
  })

  test('five days without a success disable an endpoint, after warnings; new events are not sent', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    receiver.answer(500)
    const { row } = await stage.endpoint(receiver.url)
    await stage.record(...Array.from({ length: 12 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    await stage.pass(126 * HOUR, 21)
    const after = await stage.endpointRow(row.id)
    assert.containsSubset(after, {
      status: 'disabled',
      disabled_reason: 'noSuccessForFiveDays',
      warnings: 2,
    })
    assert.deepEqual(
      stage.log.map(({ message }) => message.split(': ')[1]),
      ['degraded', 'warning', 'warning', 'disabled']
    )
    const count = receiver.received.length
    await stage.record({})
    await stage.pass(HOUR)
    assert.lengthOf(receiver.received, count)
    assert.deepEqual(
      (await stage.deliveries(row.id)).map((each) => each.status),
      Array.from({ length: 12 }, () => 'held')
    )
  })

  test('retries have a quarter of the workers and first attempts the rest', async ({ assert }) => {
    const stage = await Stage.set()
    const [failing, fresh] = [await listen(), await listen()]
    failing.answer(500)
    for (let count = 0; count < 3; count++) await stage.endpoint(failing.url)
    await stage.record(...Array.from({ length: 4 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    for (let count = 0; count < 5; count++) await stage.endpoint(fresh.url)
    await stage.record(...Array.from({ length: 4 }, (_, index) => ({ entity: `f${index}` })))

    const silent = () => {}
    failing.reply = silent
    fresh.reply = silent
    stage.clock.advance(5000)
    const turn = stage.dispatcher.turn()
    while (failing.open + fresh.open < 20) await new Promise((done) => setTimeout(done, 5))
    const retries = failing.received.filter(({ payload }) => payload.sequence! <= 4).length - 12
    assert.equal(retries, 5)
    assert.equal(failing.open + fresh.open, 20)
    await failing.stop()
    await fresh.stop()
    await turn
  })

  test('one dead endpoint does not hold up another', async ({ assert }) => {
    const stage = await Stage.set()
    const [dead, alive] = [await listen(() => {}), await listen()]
    await stage.endpoint(dead.url)
    await stage.endpoint(alive.url)
    await stage.record(...Array.from({ length: 8 }, (_, index) => ({ entity: `e${index}` })))
    const turn = stage.dispatcher.turn()
    while (alive.received.length < 4) await new Promise((done) => setTimeout(done, 5))
    assert.equal(dead.open, 4)
    await dead.stop()
    await turn
    await stage.drain()
    assert.lengthOf(alive.received, 8)
  })
})
