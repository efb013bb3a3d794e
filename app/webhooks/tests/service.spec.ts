import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { Webhook } from 'standardwebhooks'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

test.group('The running service', () => {
  test('delivers by itself, hears of what other processes do, and ends cleanly', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    const { row, secret } = await stage.endpoint(receiver.url)
    const service = await startService()
    try {
      // This process records; the service is the one that sends.
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

  test('published by a local proxy it registers no loopback, nor asks it anything', async ({
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
      // One that was registered before the service was published.
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
})
