import { test } from '@japa/runner'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { makeApp } from '#tests/support/app_fixture'
import { HOUR } from '#foundation/core/durations'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

test.group('The delivery log and its operations', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  async function setUp() {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    const { row, secret } = await stage.endpoint(receiver.url)
    const path = `/org/${stage.world.organizationId}/webhookEndpoint/${row.id}`
    return { stage, receiver, id: row.id, secret, path, admin: stage.world.admin }
  }

  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

  test('GET delivery pages newest first and filters', async ({ assert }) => {
    const { stage, receiver, admin, path } = await setUp()
    await stage.record(...Array.from({ length: 5 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    receiver.answer(500)
    await stage.record({ type: 'release.kickedOff', entity: 'x' })
    await stage.drain()

    const all = await admin.get(`${path}/delivery`)
    assert.equal(all.status, 200)
    assert.lengthOf(all.body.data, 6)
    assert.containsSubset(all.body.data[0], {
      eventType: 'release.kickedOff',
      status: 'pending',
      lastStatusCode: 500,
      attemptCount: 1,
    })
    const first = await admin.get(`${path}/delivery?limit=4`)
    assert.isTrue(first.body.pagination.hasMore)
    const cursor = first.body.pagination.nextCursor
    const second = await admin.get(`${path}/delivery?limit=4&cursor=${cursor}`)
    assert.deepEqual([...idsOf(first.body), ...idsOf(second.body)], idsOf(all.body))
    const failing = await admin.get(`${path}/delivery?status=pending`)
    assert.deepEqual(idsOf(failing.body), [all.body.data[0].id])
    const typed = await admin.get(`${path}/delivery?eventType=release.created`)
    assert.lengthOf(typed.body.data, 5)
    const none = await admin.get(`${path}/delivery?createdAfter=2100-01-01T00:00:00Z`)
    assert.lengthOf(none.body.data, 0)
    const unknown = await admin.get(`${path}/delivery?status=lost`)
    assert.equal(unknown.status, 422)
    const broken = await admin.get(`${path}/delivery?limit=some`)
    assert.equal(broken.status, 400)
  })

  test('GET of one shows the payload and the answers', async ({ assert }) => {
    const { stage, receiver, admin, path } = await setUp()
    receiver.reply = (_received, response) => response.writeHead(422).end('no\u0000such field')
    await stage.record({ note: 'look' })
    await stage.drain()
    const list = await admin.get(`${path}/delivery`)
    const { status, body } = await admin.get(`${path}/delivery/${list.body.data[0].id}`)
    assert.equal(status, 200)
    assert.equal(body.payload.note, 'look')
    assert.containsSubset(body.attempts, [
      { number: 1, kind: 'first', delivered: false, statusCode: 422, errorClass: null },
    ])
    assert.equal(body.attempts[0].answerBody, 'no\ufffdsuch field')
  })

  test('an attempt at an unreachable receiver is logged with its error class', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path } = await setUp()
    await receiver.stop()
    receivers.splice(0)
    await stage.record({})
    await stage.drain()
    const list = await admin.get(`${path}/delivery`)
    assert.containsSubset(list.body.data[0], { lastStatusCode: null, lastErrorClass: 'connection' })
  })

  test('POST ping with an event type sends the example of that event', async ({ assert }) => {
    const { stage, receiver, admin, path } = await setUp()
    const eventType = 'checklistItem.statusChanged'
    const { body } = await admin.post(`${path}/ping`, { eventType })
    await stage.drain()
    const [{ payload }] = receiver.received
    assert.containsSubset(payload, {
      id: body.eventId,
      eventType,
      test: true,
      org: { id: stage.world.organizationId },
      app: { id: 'acme-ios', platform: 'ios' },
      release: { id: 'acme-ios:4.2.0', version: '4.2.0', regressionStatus: 'passed' },
      checklistItem: { title: 'Log in with a passkey', status: { type: 'passed' } },
      previousStatus: 'inProgress',
    })
  })

  test('POST ping sends one signed test message, even to a disabled endpoint', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path, secret } = await setUp()
    await admin.patch(path, { enabled: false })
    const { status, body } = await admin.post(`${path}/ping`)
    assert.equal(status, 202)
    assert.containsSubset(body, { eventType: 'ping', status: 'pending', sequence: null })
    await stage.drain()
    const [got] = receiver.received
    assert.containsSubset(got.payload, { id: body.eventId, type: 'ping', test: true })
    for (const Verifier of [Webhook, SvixWebhook]) {
      assert.doesNotThrow(() =>
        new Verifier(secret).verify(got.body, got.headers as Record<string, string>)
      )
    }
    const shown = await admin.get(`${path}/delivery/${body.id}`)
    assert.containsSubset(shown.body, { status: 'succeeded', attempts: [{ kind: 'manual' }] })
  })

  test('a failing ping is tried once and does not affect the health', async ({ assert }) => {
    const { stage, receiver, admin, path, id } = await setUp()
    receiver.answer(410)
    const { body } = await admin.post(`${path}/ping`, { eventType: 'release.created' })
    await stage.drain()
    await stage.pass(24 * HOUR)
    assert.lengthOf(receiver.received, 1)
    assert.equal(receiver.received[0].payload.type, 'release.created')
    const shown = await admin.get(`${path}/delivery/${body.id}`)
    assert.equal(shown.body.status, 'failed')
    const after = await stage.endpointRow(id)
    assert.containsSubset(after, { status: 'active', failures: 0 })
    const unknown = await admin.post(`${path}/ping`, { eventType: 'release.nonsense' })
    assert.equal(unknown.status, 422)
  })

  test('POST redeliver sends the same id with a new timestamp and the current secret', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path } = await setUp()
    await stage.record({})
    await stage.drain()
    const list = await admin.get(`${path}/delivery`)
    const { id } = list.body.data[0]
    const rotated = await admin.post(`${path}/rotateSecret`, { graceHours: 0 })
    await admin.patch(path, { enabled: false })
    stage.clock.advance(2000)
    const { status } = await admin.post(`${path}/delivery/${id}/redeliver`)
    assert.equal(status, 202)
    await stage.drain()
    const [first, again] = receiver.received
    assert.equal(again.headers['webhook-id'], first.headers['webhook-id'])
    assert.equal(again.body, first.body)
    assert.isAbove(
      Number(again.headers['webhook-timestamp']),
      Number(first.headers['webhook-timestamp'])
    )
    assert.doesNotThrow(() =>
      new Webhook(rotated.body.secret).verify(again.body, again.headers as Record<string, string>)
    )
  })

  test('redelivering a failing event affects neither its schedule nor the health', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path, id } = await setUp()
    receiver.answer(500)
    await stage.record({})
    await stage.drain()
    const [before] = await stage.deliveries(id)
    await admin.post(`${path}/delivery/${before.id}/redeliver`)
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
    const [after] = await stage.deliveries(id)
    assert.equal(after.next_attempt_at, before.next_attempt_at)
    assert.equal(after.failed_attempts, 1)
    const endpoint = await stage.endpointRow(id)
    assert.equal(endpoint.failures, 1)
    receiver.answer(204)
    await admin.post(`${path}/delivery/${before.id}/redeliver`)
    await stage.drain()
    await stage.pass(HOUR)
    assert.lengthOf(receiver.received, 3)
    const [done] = await stage.deliveries(id)
    assert.equal(done.status, 'succeeded')
  })

  test('409 for a delivery that is being attempted', async ({ assert }) => {
    const { stage, receiver, admin, path, id } = await setUp()
    receiver.reply = () => {}
    await stage.record({})
    const turn = stage.dispatcher.turn()
    while (receiver.open === 0) await new Promise((done) => setTimeout(done, 5))
    const [delivery] = await stage.deliveries(id)
    const { status, body } = await admin.post(`${path}/delivery/${delivery.id}/redeliver`)
    assert.equal(status, 409)
    assert.containsSubset(body, { code: 'conflict', currentStatus: 'pending' })
    assert.deepEqual(body.allowedActions, [])
    await receiver.stop()
    receivers.splice(0)
    await turn
  })

  test('POST recover delivers events that failed, were held or never sent, and shows progress', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path, id } = await setUp()
    await stage.record({ entity: 'got' })
    await stage.drain()
    receiver.answer(410)
    await stage.record({ entity: 'held' })
    await stage.drain()
    await stage.record({ entity: 'never' })
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
    const since = '2026-01-01T00:00:00Z'
    const refused = await admin.post(`${path}/recover`, { since })
    assert.equal(refused.status, 409)
    assert.equal(refused.body.code, 'endpoint_disabled')

    receiver.answer(204)
    const enabled = await admin.patch(path, { enabled: true })
    assert.equal(enabled.body.status, 'active')
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
    const started = await admin.post(`${path}/recover`, { since })
    assert.equal(started.status, 202)
    assert.containsSubset(started.body, { status: 'running', examined: 0, recovered: 0 })
    await stage.drain()
    assert.deepEqual(receiver.sequences.slice(2), [2, 3])
    const progress = await admin.get(`${path}/recovery/${started.body.id}`)
    assert.containsSubset(progress.body, { status: 'completed', examined: 3, recovered: 2 })
    const statuses = (await stage.deliveries(id)).map((each) => each.status)
    assert.deepEqual(statuses, ['succeeded', 'succeeded', 'succeeded'])
    const ahead = await admin.post(`${path}/recover`, { since: '2126-01-01T00:00:00Z' })
    assert.deepEqual([ahead.status, ahead.body.errors[0].code], [422, 'in_the_future'])
    const broken = await admin.post(`${path}/recover`, { since: 'yesterday' })
    assert.equal(broken.status, 422)
  })

  test('a degraded endpoint shows its oldest delivery as pending and the others as held', async ({
    assert,
  }) => {
    const { stage, receiver, admin, path } = await setUp()
    receiver.answer(500)
    await stage.record(...Array.from({ length: 20 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    const pending = await admin.get(`${path}/delivery?status=pending`)
    assert.deepEqual(
      pending.body.data.map((each: { sequence: number }) => each.sequence),
      [1]
    )
    assert.isNotNull(pending.body.data[0].nextAttemptAt)
    const held = await admin.get(`${path}/delivery?status=held`)
    assert.lengthOf(held.body.data, 19)
    const { body } = await admin.get(`${path}/statistics`)
    assert.isAtLeast(body.failuresInARow, 10)
    assert.isNotNull(body.disablesAt)
    const hours: { startsAt: string; delivered: number; failed: number }[] = body.hours
    assert.equal(
      hours.reduce((all, { failed }) => all + failed, 0),
      body.attempts
    )
    const [{ startedAt }] = (await admin.get(`${path}/delivery/${pending.body.data[0].id}`)).body
      .attempts
    assert.equal(hours[0].startsAt, `${startedAt.slice(0, 13)}:00:00.000Z`)
  })

  test('GET webhookEvent lists every event by sequence, even without an endpoint', async ({
    assert,
  }) => {
    const { stage, admin, path } = await setUp()
    const feed = `/org/${stage.world.organizationId}/webhookEvent`
    await admin.delete(path)
    const app = await makeApp(stage.world)
    const draft = (version: string) => admin.post(`/app/${app}/release`, { version })
    await draft('1.0.0')
    const targetSubmitAt = '2030-01-01T00:00:00.000Z'
    await admin.put(`/app/${app}/release/${app}:1.0.0`, { targetSubmitAt })
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) await draft(version)
    const first = await admin.get(`${feed}?limit=2`)
    assert.equal(first.status, 200)
    const sequences = (page: { data: { sequence: number }[] }) =>
      page.data.map(({ sequence }) => sequence)
    const cursor = first.body.pagination.nextCursor
    const elsewhere = await admin.get(`${feed}?after=1&cursor=${cursor}`)
    assert.equal(elsewhere.status, 400)
    const next = await admin.get(`${feed}?limit=2&cursor=${cursor}`)
    const after = await admin.get(`${feed}?after=4`)
    assert.deepEqual(
      [sequences(first.body), sequences(next.body), sequences(after.body)],
      [[1, 2], [3, 4], [5]]
    )
    const moved = await admin.get(`${feed}?eventType=release.targetDateUpdated`)
    assert.deepEqual(sequences(moved.body), [2])
    const events = await stage.world.events()
    assert.deepEqual(first.body.data[0], events[0].payload)
  })

  test('GET webhookEvent ends a page before it becomes too large', async ({ assert }) => {
    const { stage, admin } = await setUp()
    await stage.record(...Array.from({ length: 30 }, () => ({ note: 'x'.repeat(200 * 1024) })))
    const feed = `/org/${stage.world.organizationId}/webhookEvent`
    const seen: number[][] = []
    for (let cursor = ''; cursor !== null;) {
      const { body } = await admin.get(`${feed}?limit=200${cursor && `&cursor=${cursor}`}`, {
        unchecked: true,
      })
      assert.isBelow(JSON.stringify(body).length, 4.1 * 1024 * 1024)
      seen.push(body.data.map(({ sequence }: { sequence: number }) => sequence))
      cursor = body.pagination.nextCursor
    }
    assert.deepEqual(
      seen.flat(),
      Array.from({ length: 30 }, (_, index) => index + 1)
    )
    assert.isAbove(seen.length, 1)
    assert.isBelow(seen.length, 4)
  })
})
