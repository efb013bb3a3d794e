import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import pg from 'pg'
import { Stage, ring } from '../jobs/tests/support/stage.js'
import { onTime } from '../jobs/handlers.js'
import { policy } from '../jobs/tests/support/facts.js'
import { isPostgres } from '../core/database/connections.js'
import { newId } from '../core/ids.js'
import { alone, type Presence } from '../core/processes/presence.js'
import { PostgresBeats } from '../core/processes/postgres_beats.js'
import { TakeOver } from '../core/processes/take_over.js'

const TIMEOUT = 2500

/** Returns a stage with a timer that a process has claimed and does not end. */
async function claimed(life: string) {
  const rung: string[] = []
  const work = onTime(ring, { ...policy, act: async (_scope, { subject }) => rung.push(subject) })
  const stage = await Stage.set(work)
  await stage.write((scope) => scope.jobs.plan(ring, { subject: 'one', payload: { note: '' } }))
  await db.from('jobs').where('subject', 'one').update({
    claim_id: 'clm_gone',
    claimed_by: life,
    visible_at: '2999-01-01T00:00:00.000Z',
    attempts: 1,
  })
  const woken: number[] = []
  const takeOver = new TakeOver({
    database: db as never,
    clock: stage.clock,
    logger: { warn() {} } as never,
    wake: () => void woken.push(1),
  })
  return { stage, rung, takeOver, woken }
}

/** Registers a process with a heartbeat some time ago. */
const register = (id: string, ageMs: number) =>
  db.table('service_processes').insert({
    id,
    heard_at: Date.now() - ageMs,
    patience_ms: TIMEOUT,
    is_cleared: false,
  })

if (isPostgres(db as never)) {
  test.group('Processes that are gone', (group) => {
    group.each.setup(() => db.from('service_processes').delete() as never)

    test('have their claims handed back once they are silent for too long', async ({ assert }) => {
      const life = newId('prc')
      const { stage, rung, takeOver, woken } = await claimed(life)
      await register(life, 1000)
      await takeOver.handle([life])
      await stage.worker.turn()
      assert.deepEqual([rung, woken], [[], []])
      await db.from('service_processes').where('id', life).update({ heard_at: 0 })
      await takeOver.handle([life])
      assert.lengthOf(woken, 1)
      await stage.worker.turn()
      assert.deepEqual(rung, ['one'])
      const row = await db.from('service_processes').where('id', life).firstOrFail()
      assert.isNotNull(row.gone_at)
      assert.isTrue(row.is_cleared)
    })

    test('learn that from their next heartbeat, even if their clock was ahead', async ({
      assert,
      cleanup,
    }) => {
      const [own, other, ahead] = [newId('prc'), newId('prc'), newId('prc')]
      const { takeOver } = await claimed(other)
      const beats = new PostgresBeats(process.env.DATABASE_URL!)
      cleanup(() => beats.close())
      await register(other, 60_000)
      await register(ahead, -60_000)
      const heard = await beats.beat(own, TIMEOUT)
      assert.isTrue(heard.isAlive)
      assert.sameMembers(heard.silent, [other, ahead])
      assert.isTrue((await beats.beat(other, TIMEOUT)).isAlive)
      assert.deepEqual((await beats.beat(own, TIMEOUT)).silent, [ahead])
      await takeOver.handle([ahead, other])
      assert.isFalse((await beats.beat(ahead, TIMEOUT)).isAlive)
      assert.isTrue((await beats.beat(other, TIMEOUT)).isAlive)
      assert.deepEqual((await beats.beat(own, TIMEOUT)).silent, [])
    })

    test('have their claims handed back even if they are unknown, as after a crash of the database', async ({
      assert,
    }) => {
      const [there, nowhere] = [newId('prc'), newId('prc')]
      const held = await claimed(there)
      await register(there, 60_000)
      await held.takeOver.sweep()
      await held.stage.worker.turn()
      assert.deepEqual(held.rung, [])
      const lost = await claimed(nowhere)
      await lost.takeOver.sweep()
      await lost.stage.worker.turn()
      assert.deepEqual(lost.rung, ['one'])
    })

    test('have their idle transactions ended, which releases the locks', async ({ assert }) => {
      const life = newId('prc')
      const { takeOver } = await claimed(life)
      const client = new pg.Client({
        connectionString: process.env.DATABASE_URL,
        application_name: life,
      })
      await client.connect()
      client.on('error', () => {})
      const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
      await client.query('begin')
      await client.query(`select 1 from jobs where claimed_by = $1 for update`, [life])
      await register(life, 60_000)
      await pause(2100)
      await takeOver.handle([life])
      await ended
      await takeOver.handle([life])
      const row = await db.from('jobs').where('subject', 'one').firstOrFail()
      assert.isNull(row.claim_id)
    })
  })
}

test.group('A worker that may have been declared gone', () => {
  test('claims nothing', async ({ assert }) => {
    const { stage, rung } = await claimed('prc_other')
    await db.from('jobs').update({ visible_at: '2000-01-01T00:00:00.000Z' })
    let presence: Presence = { life: () => null }
    const worker = stage.another(undefined, { life: () => presence.life() })
    await worker.turn()
    assert.deepEqual(rung, [])
    presence = alone
    await worker.turn()
    assert.deepEqual(rung, ['one'])
  })
})
