import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { VirtualClock, earlier, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { DELIVERIES_KEPT_FOR } from '#integrations/callbacks/take_callback'
import { IntegrationsRotateKeys } from '#integrations/commands/integrations_rotate_keys'
import { PruneCalls } from '#integrations/port/prune_calls'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld } from '#tests/support/world'
import { plugin, work, installed, rotated, delivery, send, hintsOf } from './support/callbacks.js'

test.group('POST /integration/{integrationInstallationId}/callback', (group) => {
  group.each.setup(async () => {
    await loadTestPlugins({ acme: async () => ({ default: plugin() }) })
    return async () => void (await loadTestPlugins())
  })

  test('202 plans one look for a signed callback, outside of the request', async ({ assert }) => {
    const world = await makeWorld()
    const { id, appId, secret } = await installed(world)
    const sent = delivery(secret)
    const response = await send(id, sent)
    assert.deepEqual([response.status, response.text], [202, ''])
    assert.deepEqual(hintsOf(id), [])
    assert.equal((await send(id, sent)).status, 202)
    await work()
    const hint = { appId, integrationId: id, kind: 'chat', type: 'message.posted', subject: 'M1' }
    assert.deepEqual(hintsOf(id), [hint])
    assert.equal((await send(id, sent)).status, 202)
    await work()
    assert.lengthOf(hintsOf(id), 1)
    const { received_at: receivedAt } = await db
      .from('callback_addresses')
      .where('id', id)
      .firstOrFail()
    assert.isNotNull(receivedAt)
  })

  test('202 accepts the previous secret for a day after a rotation', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const next = await rotated(world, id)
    assert.notEqual(next, secret)
    assert.equal((await send(id, delivery(secret))).status, 202)
    assert.equal((await send(id, delivery(next))).status, 202)
    await rotated(world, id)
    assert.equal((await send(id, delivery(secret))).status, 404)
    assert.equal((await send(id, delivery(next))).status, 202)
    assert.equal((await runCommand(IntegrationsRotateKeys, [])).code, 0)
    assert.equal((await send(id, delivery(next))).status, 202)
  })

  test('404 answers forged, changed, stale, unknown and unreadable callbacks alike', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const other = await installed(world)
    const good = delivery(secret)
    const hour = 3_600_000
    const unsigned = { ...good, headers: { 'content-type': 'application/json' } }
    const foreign = delivery(other.secret)
    const responses = [
      await send('int_00000000000000000000', good),
      await send('__proto__', good),
      await send(id, unsigned),
      await send(id, foreign),
      await send(id, delivery('whsec_Zm9yZ2Vk')),
      await send(id, { ...good, raw: Buffer.concat([good.raw, Buffer.from(' ')]) }),
      await send(id, { ...good, raw: Buffer.alloc(0) }),
      await send(id, delivery(secret, { at: clock.milliseconds() - hour })),
      await send(id, delivery(secret, { at: clock.milliseconds() + hour })),
    ]
    await loadTestPlugins()
    responses.push(await send(id, good))
    for (const { webhooks } of [
      { webhooks: { verify: () => Promise.resolve(true) as never } },
      {
        webhooks: {
          verify: () => {
            throw new Error(`no ${secret}`)
          },
        },
      },
      {
        webhooks: {
          verify: () => true,
          parse: () => {
            throw new Error('odd')
          },
        },
      },
      { webhooks: { verify: () => true, parse: () => null as never } },
      ...[
        { occurredAt: 'never' },
        { occurredAt: earlier(clock.now(), 6 * 24 * hour) },
        { deliveryId: '' },
        { deliveryId: 'x'.repeat(501) },
        { subject: { id: 4 as never } },
      ].map((change) => ({
        webhooks: {
          verify: () => true,
          parse: () => [
            {
              deliveryId: 'd',
              type: 't',
              occurredAt: clock.now(),
              subject: { id: 's' },
              hint: null,
              ...change,
            },
          ],
        },
      })),
    ]) {
      await loadTestPlugins({ acme: async () => ({ default: plugin({ webhooks }) }) })
      responses.push(await send(id, good))
    }
    const reported = responses.map(({ status, body }) => ({
      status,
      ...(body as object),
      requestId: '',
      instance: '',
    }))
    assert.equal(reported[0].status, 404)
    for (const each of reported) assert.deepEqual(each, reported[0])
    await work()
    assert.deepEqual([...hintsOf(id), ...hintsOf(other.id)], [])
    const kept = await db.from('callback_deliveries').whereIn('address_id', [id, other.id])
    assert.lengthOf(kept, 0)
  })

  test('404 for another organization’s integration, even with a secret of one’s own', async ({
    assert,
  }) => {
    const [one, other] = [await makeWorld(), await makeWorld()]
    const { id } = await installed(one)
    const { id: foreign, secret } = await installed(other)
    assert.equal((await send(id, delivery(secret))).status, 404)
    const row = await db.from('callback_addresses').where('id', foreign).firstOrFail()
    await db.from('callback_addresses').where('id', id).update({ ciphertext: row.ciphertext })
    assert.equal((await send(id, delivery(secret))).status, 404)
  })

  test('413 for a callback that is too large, whether the integration is known or not', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const large = { ...delivery(secret), raw: Buffer.alloc(1024 * 1024 + 1, 'x') }
    for (const each of [id, 'int_00000000000000000000']) {
      assert.equal((await send(each, large)).status, 413)
    }
  })

  test('415 for a compressed callback', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    const { headers, raw } = delivery(secret)
    const sent = { raw, headers: { ...headers, 'content-encoding': 'gzip' } }
    assert.equal((await send(id, sent)).status, 415)
  })

  test('ids of deliveries are deleted once deliveries that old are refused', async ({ assert }) => {
    const world = await makeWorld()
    const { id, secret } = await installed(world)
    await send(id, delivery(secret))
    const count = async () => (await db.from('callback_deliveries').where('address_id', id)).length
    const prune = (milliseconds: number) =>
      new PruneCalls(db as never, new VirtualClock(later(clock.now(), milliseconds))).run()
    await prune(DELIVERIES_KEPT_FOR - 60_000)
    assert.equal(await count(), 1)
    await prune(DELIVERIES_KEPT_FOR + 1000)
    assert.equal(await count(), 0)
  })
})
