import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { Retention } from '#webhooks/delivery/retention'
import { Stage } from './support/stage.js'

const DAY = 24 * 3_600_000

test.group('Retention', () => {
  test('held deliveries expire after 30 days, the log and the feed end after 90', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({}, { entity: 'two' })
    await stage.dispatcher.turn()
    const [first, second] = await stage.deliveries(row.id)
    const set = (id: string, status: string) =>
      db
        .from('webhook_deliveries')
        .where('id', id)
        .update({ status, next_attempt_at: null, lease_until: null, claim_id: null })
    await set(first.id, 'held')
    await set(second.id, 'succeeded')
    const retention = new Retention(db as never, stage.clock)
    const statuses = async () => (await stage.deliveries(row.id)).map(({ status }) => status)

    stage.clock.advance(29 * DAY)
    await retention.run()
    assert.deepEqual(await statuses(), ['held', 'succeeded'])
    stage.clock.advance(2 * DAY)
    await retention.run()
    assert.deepEqual(await statuses(), ['expired', 'succeeded'])
    stage.clock.advance(58 * DAY)
    await retention.run()
    const events = () => stage.world.events()
    assert.lengthOf(await statuses(), 2)
    assert.isNotNull((await events())[0].payload)
    stage.clock.advance(2 * DAY)
    await retention.run()
    assert.deepEqual(await statuses(), [])
    const kept = await events()
    assert.deepEqual(
      kept.map(({ payload, sequence }) => ({ payload, sequence })),
      [
        { payload: null, sequence: 1 },
        { payload: null, sequence: 2 },
      ]
    )
  })
})
