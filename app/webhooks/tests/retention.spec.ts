import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { oldPayloads, Retention } from '#webhooks/delivery/retention'
import { DAY } from '#foundation/core/durations'
import { Stage } from './support/stage.js'

test.group('Retention', () => {
  test('held deliveries expire after 30 days; the log and the feed are cleared after 90', async ({
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

  test('recoveries are removed after 90 days unless they are running', async ({ assert }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    const now = stage.clock.now()
    await db.table('webhook_recoveries').multiInsert(
      ['running', 'completed', 'canceled'].map((status) => ({
        id: `${row.id}-${status}`,
        organization_id: stage.world.organizationId,
        endpoint_id: row.id,
        since: now,
        status,
        examined_sequence: 0,
        last_sequence: 0,
        examined: 0,
        recovered: 0,
        created_at: now,
      }))
    )
    const kept = async () => {
      await new Retention(db as never, stage.clock).run()
      const rows = await db.from('webhook_recoveries').where('endpoint_id', row.id).orderBy('id')
      return rows.map(({ status }) => status)
    }
    stage.clock.advance(89 * DAY)
    assert.deepEqual(await kept(), ['canceled', 'completed', 'running'])
    stage.clock.advance(2 * DAY)
    assert.deepEqual(await kept(), ['running'])
    await db.from('webhook_recoveries').where('endpoint_id', row.id).delete()
  })

  test('events that were cleared are not read again', async ({ assert }) => {
    // The index that PostgreSQL's planner chooses depends on the rest of the table.
    if (db.connection().dialect.name === 'postgres') return
    const before = '2026-01-01T00:00:00.000Z'
    const { sql } = oldPayloads(db.connection(), before).select('events.id').toSQL()
    const plan = JSON.stringify(await db.rawQuery(`explain query plan ${sql}`, [before]))
    assert.include(plan, 'events_recoverable')
  })

  test('a long clean-up does not block the event loop, and stops when asked to', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    const created = stage.clock.now()
    const rows = Array.from({ length: 1600 }, (_, index) => ({
      id: `${row.id}-${index}`,
      organization_id: stage.world.organizationId,
      endpoint_id: row.id,
      event_id: `evt-${row.id}-${index}`,
      event_type: 'release.created',
      entity_key: 'release:one',
      sequence: index + 1,
      place: index + 1,
      status: 'held',
      failed_attempts: 0,
      attempt_count: 0,
      created_at: created,
    }))
    for (let start = 0; start < rows.length; start += 100) {
      await db.table('webhook_deliveries').multiInsert(rows.slice(start, start + 100))
    }
    stage.clock.advance(31 * DAY)
    const retention = new Retention(db as never, stage.clock)
    let batches = 1
    const cut = await retention.run(() => batches-- > 0)
    assert.equal(cut.expired, 500)

    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const rest = await retention.run()
    isOver = true
    assert.equal(rest.expired, 1100)
    assert.isAtLeast(turns, 3)
  })
})
