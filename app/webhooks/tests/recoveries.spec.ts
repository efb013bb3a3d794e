import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import { Stage } from './support/stage.js'

const START = '2026-01-01T00:00:00.000Z'

test.group('The start of a recovery', () => {
  async function begin(stage: Stage, id: string, since: string) {
    const path = `/org/${stage.world.organizationId}/webhookEndpoint/${id}/recover`
    const { body } = await stage.world.admin.post(path, { since })
    const row = await db.from('webhook_recoveries').where('id', body.id).firstOrFail()
    return Number(row.examined_sequence)
  }

  test('is before the lowest sequence of its time, even if sequences and times differ in order', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({}, {}, {}, {}, {}, {})
    // The third change began first but committed third.
    for (const [index, minutes] of [10, 20, 5, 30, 40, 50].entries()) {
      await db
        .from('events')
        .where('organization_id', stage.world.organizationId)
        .where('sequence', index + 1)
        .update({ occurred_at: later(START, minutes * MINUTE) })
    }
    const since = (minutes: number) => begin(stage, row.id, later(START, minutes * MINUTE))
    assert.equal(await since(0), 0)
    assert.equal(await since(15), 1)
    assert.equal(await since(25), 3)
    assert.equal(await since(50), 5)
    assert.equal(await since(51), 6)
    // Events without a payload are not read.
    await db
      .from('events')
      .where('organization_id', stage.world.organizationId)
      .where('sequence', '<', 3)
      .update({ payload: null })
    assert.equal(await since(0), 2)
  })

  test('is never before the creation of the endpoint', async ({ assert }) => {
    const stage = await Stage.set()
    await stage.record({ note: 'before' }, { note: 'before' })
    const { row } = await stage.endpoint('https://hooks.example.com/')
    await stage.record({ note: 'after' })
    await db.from('webhook_deliveries').delete()
    assert.equal(await begin(stage, row.id, START), 2)
    await stage.drain()
    const made = await stage.deliveries(row.id)
    assert.deepEqual(
      made.map(({ sequence }) => Number(sequence)),
      [3]
    )
  })

  test('is found by an index', async ({ assert }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    const seen: { sql: string; bindings: unknown[] }[] = []
    const listen = (query: { sql: string; bindings?: unknown[] }) => {
      const { sql, bindings = [] } = query
      if (/occurred_at/.test(sql) && /^select/.test(sql)) seen.push({ sql, bindings })
    }
    const knex = db.connection().getReadClient()
    knex.on('query', listen)
    try {
      await begin(stage, row.id, START)
    } finally {
      knex.off('query', listen)
    }
    const [{ sql, bindings }] = seen
    if (db.connection().dialect.name === 'postgres') {
      const { rows } = await db.rawQuery(
        `select indexdef from pg_indexes where indexname = 'events_recoverable'`
      )
      assert.match(
        rows[0].indexdef,
        /\(organization_id, occurred_at\) WHERE \(payload IS NOT NULL\)/
      )
      return
    }
    const plan = await db.rawQuery(`explain query plan ${sql}`, bindings as never)
    assert.include(JSON.stringify(plan), 'events_recoverable')
    assert.notInclude(JSON.stringify(plan), 'TEMP B-TREE')
  })
})
