import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { ClaimDeliveries, type Claimed } from '#webhooks/delivery/claim_deliveries'
import { SettleAttempts } from '#webhooks/delivery/settle_attempts'
import { Relay } from '#webhooks/delivery/relay'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

const LEASE = 15_000 + 30_000
const room = { first: 15, retry: 5 }

test.group('Webhooks after a crash', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  async function listen(reply?: Receiver['reply']): Promise<Receiver> {
    const receiver = await new Receiver(reply).start()
    receivers.push(receiver)
    return receiver
  }

  /** Claims the due deliveries, and does nothing more. */
  async function claimAndDie(stage: Stage): Promise<Claimed[]> {
    await new Relay(db as never, stage.clock).run()
    return new ClaimDeliveries(db as never, stage.clock).handle(room)
  }

  test('a delivery that a dead process claimed is sent once, after the lease has ended', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    await stage.endpoint(receiver.url)
    await stage.record({})
    assert.lengthOf(await claimAndDie(stage), 1)
    await stage.pass(LEASE - 1)
    assert.lengthOf(receiver.received, 0)
    await stage.pass(1)
    assert.lengthOf(receiver.received, 1)
    await stage.pass(LEASE * 10, 10)
    assert.lengthOf(receiver.received, 1)
  })

  test('a process cannot settle an attempt after its lease if another has the delivery', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({})
    const [late] = await claimAndDie(stage)
    await stage.pass(LEASE)
    const settling = new SettleAttempts(db as never, stage.clock, () => 0)
    const { owned } = await settling.handle({ claimed: late, outcome: { kind: 'abandoned' } })
    assert.isFalse(owned)
    const [delivery] = await stage.deliveries(row.id)
    assert.containsSubset(delivery, { status: 'succeeded', attempt_count: 1 })
    assert.lengthOf(await stage.attempts(delivery.id), 1)
  })

  test('relaying the same events again creates no second delivery', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({}, { entity: 'two' })
    await stage.drain()
    await stage.forgetRelay()
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
    assert.lengthOf(await stage.deliveries(row.id), 2)
  })

  test('two processes share the work and send nothing twice', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen((_received, response) => {
      setTimeout(() => response.writeHead(204).end(), 5)
    })
    await stage.endpoint(receiver.url)
    await stage.record(...Array.from({ length: 30 }, (_, index) => ({ entity: `e${index}` })))
    const other = stage.another()
    for (let turn = 0; turn < 30 && receiver.received.length < 30; turn++) {
      await Promise.all([stage.dispatcher.turn(), other.turn()])
    }
    assert.lengthOf(receiver.received, 30)
    assert.lengthOf([...new Set(receiver.sequences)], 30)
    assert.isAtMost(receiver.mostOpen, 4)
  })

  test('a dispatcher that stops lets running attempts finish', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen((_received, response) => {
      setTimeout(() => response.writeHead(204).end(), 50)
    })
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({})
    const dispatcher = stage.another()
    dispatcher.start()
    while (receiver.open === 0) await new Promise((done) => setTimeout(done, 5))
    await dispatcher.stop(5000)
    const [delivery] = await stage.deliveries(row.id)
    assert.equal(delivery.status, 'succeeded')
  })

  test('an attempt that does not finish in time is released, and does not count', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen(() => {})
    const { row } = await stage.endpoint(receiver.url)
    await stage.record({})
    const dispatcher = stage.another()
    dispatcher.start()
    while (receiver.open === 0) await new Promise((done) => setTimeout(done, 5))
    await dispatcher.stop(10)
    const [released] = await stage.deliveries(row.id)
    assert.containsSubset(released, { status: 'pending', attempt_count: 0, lease_until: null })
    receiver.answer(204)
    await stage.drain()
    assert.lengthOf(receiver.received, 2)
  })

  test('a secret that cannot be decrypted disables the endpoint with that reason', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const [mine, other] = [await stage.endpoint(receiver.url), await stage.endpoint(receiver.url)]
    await db
      .from('webhook_endpoints')
      .where('id', mine.row.id)
      .update({ sealed_keys: other.row.sealed_keys })
    await stage.record({})
    await stage.drain()
    assert.lengthOf(receiver.received, 1)
    const after = await stage.endpointRow(mine.row.id)
    assert.containsSubset(after, { status: 'disabled', disabled_reason: 'secretUnreadable' })
    const [delivery] = await stage.deliveries(mine.row.id)
    assert.containsSubset(delivery, { status: 'held', lease_until: null })
  })

  test('a ping fails if the secret cannot be decrypted', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const [mine, other] = [await stage.endpoint(receiver.url), await stage.endpoint(receiver.url)]
    await db
      .from('webhook_endpoints')
      .where('id', mine.row.id)
      .update({ sealed_keys: other.row.sealed_keys })
    await stage.world.admin.post(
      `/org/${stage.world.organizationId}/webhookEndpoint/${mine.row.id}/ping`
    )
    await stage.drain()
    const [ping] = await stage.deliveries(mine.row.id)
    assert.containsSubset(ping, { status: 'failed', manual_at: null, lease_until: null })
    assert.isNotNull(ping.finished_at)
  })

  test('an event from before the first endpoint is not delivered and blocks no other', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    await stage.record({})
    await stage.endpoint(receiver.url)
    await stage.drain()
    assert.lengthOf(receiver.received, 0)
    await stage.record({})
    await stage.drain()
    assert.deepEqual(receiver.sequences, [2])
  })
})
