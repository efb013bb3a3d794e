import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { Webhook } from 'standardwebhooks'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

test.group('The running service', () => {
  test('delivers events, including those of other processes, and shuts down cleanly', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    const { row, secret } = await stage.endpoint(receiver.url)
    const service = await startService()
    try {
      // This process records the event; the service sends it.
      await stage.record({ note: 'from beside' })
      const api = new Api(stage.world.adminKey, service.base)
      await api.post(`/org/${stage.world.organizationId}/webhookEndpoint/${row.id}/ping`)
      while (receiver.received.length < 2) await new Promise((done) => setTimeout(done, 20))
      for (const { body, headers } of receiver.received) {
        assert.doesNotThrow(() =>
          new Webhook(secret).verify(body, headers as Record<string, string>)
        )
      }

      receiver.reply = (_received, response) => {
        setTimeout(() => response.writeHead(204).end(), 300)
      }
      await stage.record({ note: 'under way at the end' })
      while (receiver.open === 0) await new Promise((done) => setTimeout(done, 20))
    } finally {
      const { code } = await service.stop()
      await receiver.stop()
      assert.equal(code, 0)
    }
    const rows = await db.from('webhook_deliveries').where('endpoint_id', row.id)
    assert.deepEqual(
      rows.map(({ status, lease_until: lease }) => ({ status, lease })),
      Array.from({ length: 3 }, () => ({ status: 'succeeded', lease: null }))
    )
  }).timeout(60_000)

  test('neither registers nor calls loopback addresses if a local proxy publishes it', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    const { row } = await stage.endpoint(receiver.url)
    const service = await startService({ PUBLIC_URL: 'https://tarmac.example.com' })
    try {
      const api = new Api(stage.world.adminKey, service.base)
      const path = `/org/${stage.world.organizationId}/webhookEndpoint`
      for (const url of [receiver.url, 'https://127.0.0.1/', 'https://[::1]/']) {
        const { status } = await api.post(path, { url })
        assert.equal(status, 422, url)
      }
      // This endpoint was registered before the service was published.
      await api.post(`${path}/${row.id}/ping`)
      while (
        (await db.from('webhook_attempts').where('organization_id', stage.world.organizationId))
          .length === 0
      )
        await new Promise((done) => setTimeout(done, 20))
    } finally {
      await service.stop()
      await receiver.stop()
    }
    const [{ error_class: errorClass }] = await db
      .from('webhook_attempts')
      .where('organization_id', stage.world.organizationId)
    assert.equal(errorClass, 'refused')
    assert.lengthOf(receiver.received, 0)
  }).timeout(60_000)

  /** Starts a service and shuts it down while a receiver keeps an attempt waiting. */
  async function endingWithAttempt(grace: string) {
    const stage = await Stage.set()
    let respond = () => {}
    const receiver = await new Receiver((_received, response) => {
      respond = () => response.writeHead(204).end()
    }).start()
    const { row } = await stage.endpoint(receiver.url, { timeoutSeconds: 30 })
    const service = await startService({ SHUTDOWN_GRACE: grace })
    await stage.record({})
    while (receiver.open === 0) await new Promise((done) => setTimeout(done, 20))
    const stopped = service.stop()
    const probe = new Api(null, service.base)
    const headers = { connection: 'close' }
    while ((await probe.get('/health/ready', { headers })).status !== 503)
      await new Promise((done) => setTimeout(done, 20))
    const isAlive = async () => (await probe.get('/health/live', { headers })).status === 200
    return { receiver, stopped, isAlive, answer: () => respond(), row }
  }

  test('waits at a shutdown for an attempt under way', async ({ assert }) => {
    const { receiver, stopped, isAlive, answer: respond, row } = await endingWithAttempt('60')
    for (let count = 0; count < 10; count++) {
      await new Promise((done) => setTimeout(done, 50))
      assert.isTrue(await isAlive())
    }
    respond()
    assert.equal((await stopped).code, 0)
    await receiver.stop()
    const { status } = await db
      .from('webhook_deliveries')
      .where('endpoint_id', row.id)
      .firstOrFail()
    assert.equal(status, 'succeeded')
  }).timeout(30_000)

  test('aborts the attempt after the grace period, and hands the delivery back', async ({
    assert,
  }) => {
    const { receiver, stopped, row } = await endingWithAttempt('1')
    assert.equal((await stopped).code, 0)
    await receiver.stop()
    const delivery = await db.from('webhook_deliveries').where('endpoint_id', row.id).firstOrFail()
    assert.containsSubset(delivery, { status: 'pending', lease_until: null, attempt_count: 0 })
  }).timeout(25_000)
})
