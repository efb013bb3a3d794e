import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { changesOf } from '#tests/support/changed_rows'
import { makeWorld, type World } from '#tests/support/world'
import { Relay } from '#webhooks/delivery/relay'
import { Stage } from './support/stage.js'

/*
 * The log of an endpoint may be long, so it is removed and held in batches: no statement blocks
 * others for long.
 */

const DELIVERIES = 1300
/** The maximum number of rows that a statement changes. */
const BATCH = 500

async function endpointWithLog(world: World): Promise<string> {
  const { body } = await world.admin.post(`/org/${world.organizationId}/webhookEndpoint`, {
    url: 'https://hooks.example.com/',
  })
  const id: string = body.id
  await world.admin.post(`/org/${world.organizationId}/webhookEndpoint/${id}/ping`)
  const numbers = Array.from({ length: DELIVERIES - 1 }, (_, index) => index)
  const [first] = await db.from('webhook_deliveries').where('endpoint_id', id)
  await db.from('webhook_deliveries').where('id', first.id).update({ status: 'delivered' })
  const rows = numbers.map((index) => ({
    ...first,
    id: `${first.id}-${index}`,
    event_id: `${first.event_id}-${index}`,
    sequence: index + 1,
    status: index % 3 === 0 ? 'delivered' : 'pending',
  }))
  while (rows.length > 0) await db.table('webhook_deliveries').multiInsert(rows.splice(0, 100))
  return id
}

test.group('An endpoint with a long log', () => {
  test('is removed with its log in batches', async ({ assert }) => {
    const world = await makeWorld()
    const id = await endpointWithLog(world)
    const path = `/org/${world.organizationId}/webhookEndpoint/${id}`
    const changed = await changesOf('webhook_deliveries', async () => {
      assert.equal((await world.admin.delete(path)).status, 204)
    })
    assert.deepEqual(changed, [BATCH, BATCH, DELIVERIES - 2 * BATCH])
    assert.lengthOf(await db.from('webhook_deliveries').where('endpoint_id', id), 0)
  })

  test('is disabled, and its pending deliveries held, in batches', async ({ assert }) => {
    const world = await makeWorld()
    const id = await endpointWithLog(world)
    const path = `/org/${world.organizationId}/webhookEndpoint/${id}`
    const open = () => db.from('webhook_deliveries').where({ endpoint_id: id, status: 'pending' })
    const pending = (await open()).length
    const changed = await changesOf('webhook_deliveries', async () => {
      assert.equal((await world.admin.patch(path, { enabled: false })).status, 200)
    })
    assert.deepEqual(changed, [BATCH, pending - BATCH])
    assert.lengthOf(await open(), 0)
    const done = { endpoint_id: id, status: 'delivered' }
    assert.isNotEmpty(await db.from('webhook_deliveries').where(done))
  })
})

test.group('Events for many endpoints', () => {
  test('are relayed in order, with at most a thousand deliveries at a time', async ({ assert }) => {
    const stage = await Stage.set()
    const endpoints = 50
    for (let index = 0; index < endpoints; index++) {
      await stage.endpoint(`https://hooks.example.com/${index}`)
    }
    for (let index = 0; index < 45; index++) await stage.record({ entity: `${index}` })
    const relay = new Relay(db as never, stage.clock)
    const own = () =>
      db.from('webhook_deliveries').where('organization_id', stage.world.organizationId)
    for (const events of [20, 20, 5]) {
      const before = (await own()).length
      assert.equal(await relay.run(), events)
      assert.equal((await own()).length - before, events * endpoints)
    }
    assert.equal(await relay.run(), 0)
  })
})
