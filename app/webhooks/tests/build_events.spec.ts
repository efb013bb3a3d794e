import { setTimeout as pause } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sendFile } from '#distribution/tests/support'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { startService } from '#tests/support/processes'
import { ClaimDeliveries } from '#webhooks/delivery/claim_deliveries'
import { Relay } from '#webhooks/delivery/relay'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

const LEASE = 15_000 + 30_000
const room = { first: 15, retry: 5 }
const ORDER = ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable']

test.group('Events of a build reach receivers in order', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  /** Makes an app with a bucket, and a receiver of build events. */
  async function set() {
    const stage = await Stage.set()
    const { world } = stage
    const app = await makeApp(world)
    const { body } = await world.admin.post(`/app/${app}/bucket`, { name: 'Beta' })
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    await stage.endpoint(receiver.url, { events: ORDER })
    return {
      stage,
      world,
      receiver,
      upload: (api = world.admin) => sendFile(api, `/app/${app}/bucket/${body.id}/build`),
      /** Returns the types of a build's events that arrived, each event once. */
      arrived(id: string) {
        const payloads = receiver.received.map(({ payload }) => payload as any)
        const own = payloads.filter(({ build }) => build.id === id)
        return [...new Map(own.map((payload) => [payload.id, payload.type])).values()]
      },
    }
  }

  test('if processes die between the commit and the relay, and after the claim', async ({
    assert,
  }) => {
    const { stage, receiver, upload, arrived } = await set()
    const [one, two] = [(await upload()).body.id, (await upload()).body.id]
    assert.isEmpty(receiver.received)
    await new Relay(db as never, stage.clock).run()
    // Events of one build wait for each other, so only the first event of each build is claimed.
    assert.lengthOf(await new ClaimDeliveries(db as never, stage.clock).handle(room), 2)
    await stage.drain()
    assert.isEmpty(receiver.received, 'the claims of the dead process still hold')
    await stage.pass(LEASE)
    for (const id of [one, two]) assert.deepEqual(arrived(id), ORDER)
    assert.lengthOf(receiver.received, 4)
    await stage.forgetRelay()
    await stage.pass(LEASE * 10, 10)
    assert.lengthOf(receiver.received, 4)
  })

  test('if the receiver rejects the first event: the second waits, other builds do not', async ({
    assert,
  }) => {
    const { stage, receiver, upload, arrived } = await set()
    const failed = (await upload()).body.id
    receiver.reply = ({ payload }, response) => {
      const { build, type } = payload as any
      const isRefused = build.id === failed && type === ORDER[0]
      response.writeHead(isRefused ? 503 : 204).end()
    }
    const fine = (await upload()).body.id
    await stage.drain()
    assert.deepEqual([arrived(failed), arrived(fine)], [[ORDER[0]], ORDER])
    receiver.answer(204)
    await stage.pass(60_000, 6)
    assert.deepEqual(arrived(failed), ORDER)
    const ids = receiver.received.map(({ payload }) => payload.id)
    assert.lengthOf(ids, 5)
    assert.lengthOf([...new Set(ids)], 4, 'the event that was sent again has the same id')
  })

  test('once each, if the service is killed right after its answer', async ({
    assert,
    cleanup,
  }) => {
    const { world, receiver, upload, arrived } = await set()
    const first = await startService({ WORK_IN_SERVER: 'false' })
    cleanup(() => first.kill())
    const { status, body } = await upload(new Api(world.adminKey, first.base))
    assert.equal(status, 200)
    await first.kill()
    assert.isEmpty(receiver.received)
    const second = await startService({ WORK_IN_SERVER: 'true' })
    cleanup(() => second.kill())
    for (let turn = 0; turn < 200 && receiver.received.length < 2; turn++) await pause(50)
    await pause(500)
    assert.deepEqual(arrived(body.id), ORDER)
    assert.lengthOf(receiver.received, 2)
  }).timeout(60_000)
})
