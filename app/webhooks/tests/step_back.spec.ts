import fc from 'fast-check'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { dueFromNow } from '#webhooks/delivery/future_instants'
import { FOR_GOOD } from '#webhooks/delivery/entity_order'
import { DAY, MINUTE, SECOND } from '#foundation/core/durations'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

/*
 * A clock was a day ahead and is corrected, so instants written before lie a day in the future.
 */
test.group('A clock that is set back a day', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  /** Makes an endpoint whose receiver fails, at a time that is a day ahead. */
  async function ahead(settings = {}) {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    receiver.answer(500)
    stage.clock.advance(DAY)
    const { row } = await stage.endpoint(receiver.url, settings)
    /** Corrects the clock, for the running process or for one that starts now. */
    const setBack = (restarted: boolean) => {
      stage.clock.advance(-DAY)
      return restarted ? stage.another() : stage.dispatcher
    }
    return { stage, receiver, id: row.id, setBack }
  }

  for (const [name, restarted] of [
    ['in a running process', false],
    ['before a restart', true],
  ] as const) {
    test(`${name}: a failed delivery is tried again when its wait is over`, async ({ assert }) => {
      const { stage, receiver, setBack } = await ahead()
      await stage.record({})
      await stage.drain()
      receiver.answer(204)
      const dispatcher = setBack(restarted)
      await dispatcher.turn()
      assert.lengthOf(receiver.received, 1, 'before its wait is over')
      stage.clock.advance(5 * SECOND)
      await dispatcher.turn()
      assert.lengthOf(receiver.received, 2)
    })

    test(`${name}: a lease ends, and deliveries behind it continue`, async ({ assert }) => {
      const { stage, receiver, id, setBack } = await ahead()
      receiver.answer(204)
      await stage.record({}, {})
      await stage.dispatcher.turn()
      // The state after the process was killed during the attempt.
      const lost = { claim_id: 'clm_lost', lease_until: later(stage.clock.now(), 45 * SECOND) }
      const undone = { status: 'pending', finished_at: null }
      const rows = db.from('webhook_deliveries').where('endpoint_id', id)
      await rows
        .clone()
        .where('sequence', 1)
        .update({ ...undone, ...lost })
      await rows
        .clone()
        .where('sequence', 2)
        .update({ ...undone, waits_until: FOR_GOOD })
      const wake = { wake_at: lost.lease_until }
      await db.from('webhook_endpoints').where('id', id).update(wake)
      const before = receiver.sequences.length
      const dispatcher = setBack(restarted)
      for (let turn = 0; turn < 2; turn++) await dispatcher.turn()
      assert.deepEqual(receiver.sequences.slice(before), [1, 2])
    })

    test(`${name}: a degraded endpoint is probed`, async ({ assert }) => {
      const { stage, receiver, id, setBack } = await ahead()
      await stage.record(...Array.from({ length: 10 }, (_, index) => ({ entity: `${index}` })))
      await stage.drain()
      assert.equal((await stage.endpointRow(id)).status, 'degraded')
      receiver.answer(204)
      await setBack(restarted).turn()
      assert.equal((await stage.endpointRow(id)).status, 'active')
    })

    test(`${name}: events of one entity wait for a failed one five minutes`, async ({ assert }) => {
      const { stage, receiver, setBack } = await ahead()
      receiver.reply = (received, response) => {
        response.writeHead(received.payload.sequence === 1 ? 500 : 204).end()
      }
      await stage.record({}, {})
      await stage.drain()
      const dispatcher = setBack(restarted)
      await dispatcher.turn()
      for (let minute = 0; minute < 6; minute++) {
        stage.clock.advance(MINUTE)
        await dispatcher.turn()
      }
      assert.include(receiver.sequences, 2)
    })
  }

  test('a throttle ignores claims in the future', async ({ assert }) => {
    const { stage, receiver, setBack } = await ahead({ maxPerSecond: 1 })
    receiver.answer(204)
    await stage.record({ entity: 'a' })
    await stage.drain()
    setBack(false)
    await stage.record({ entity: 'b' })
    await stage.dispatcher.turn()
    assert.lengthOf(receiver.received, 2)
  })

  test('due times are corrected once, and never shorten a wait', () => {
    const wait = fc.integer({ min: 0, max: 50 * 60 * MINUTE })
    const step = fc.integer({ min: -DAY, max: DAY })
    fc.assert(
      fc.property(wait, step, (waited, moved) => {
        const attemptedAt = '2026-11-20T18:50:14.123Z'
        const dueAt = later(attemptedAt, waited)
        const now = later(attemptedAt, moved)
        const moves = dueFromNow(dueAt, attemptedAt, now)
        if (moved >= 0) return moves === dueAt
        // A repetition by another process changes nothing.
        const again = dueFromNow(moves, attemptedAt, later(now, 1))
        return moves === later(now, waited) && again <= later(moves, 1)
      })
    )
  })
})
