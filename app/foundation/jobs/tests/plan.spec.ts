import database from '@adonisjs/lucid/services/db'
import emitter from '@adonisjs/core/services/emitter'
import { test } from '@japa/runner'
import pg from 'pg'
import { JOBS_CHANNEL } from '#foundation/core/jobs/job_queue'
import { later } from '#foundation/core/clock'
import { makeWorld } from '#tests/support/world'
import { chore, onObservation, onTime } from '../handlers.js'
import { PlanChores } from '../plan_chores.js'
import { WithinReach } from '../within_reach.js'
import { MINUTE, Stage, order, ring, watch } from './support/stage.js'

const note = (text: string) => ({ note: text })

test.group('Planning', () => {
  test('is stored with its cause or not at all', async ({ assert }) => {
    const stage = await Stage.set()
    const failing = stage.write(async (scope) => {
      await scope.jobs.plan(ring, { subject: 'one', payload: note('a') })
      throw new Error('no')
    })
    await assert.rejects(() => failing, 'no')
    assert.lengthOf(await stage.jobs(), 0)
    await stage.write((scope) => scope.jobs.plan(ring, { subject: 'one', payload: note('a') }))
    const [job] = await stage.jobs()
    const now = stage.clock.now()
    assert.containsSubset(job, {
      organization_id: stage.world.organizationId,
      nature: 'timer',
      kind: 'test.ring',
      subject: 'one',
      state: 'planned',
      due_at: now,
      visible_at: now,
    })
    assert.equal(job.payload, '{"note":"a"}')
  })

  test('observations of some subjects can be hastened, and one that is under way is then repeated', async ({
    assert,
  }) => {
    const looked: string[] = []
    const stage = await Stage.set(
      onObservation(watch, {
        actor: 'test',
        lease: MINUTE,
        every: { least: 10 * MINUTE, most: 10 * MINUTE },
        retry: { steps: [MINUTE] },
        async poll({ subject }) {
          looked.push(subject)
          // It was hastened during a poll.
          if (looked.length === 3) await stage.write((scope) => scope.jobs.hasten(watch, ['a']))
        },
        store: async () => 'unchanged',
      })
    )
    await stage.write(async (scope) => {
      for (const subject of ['a', 'b']) {
        await scope.jobs.plan(watch, { subject, payload: note(subject) })
      }
    })
    await stage.pass(0)
    assert.sameMembers(looked, ['a', 'b'])
    const hasten = (...subjects: string[]) =>
      stage.write((scope) => scope.jobs.hasten(watch, subjects))
    assert.equal(await hasten('c'), 0)
    assert.equal(await hasten(), 0)
    const foreign = await makeWorld()
    assert.equal(await stage.write((scope) => scope.jobs.hasten(watch, ['a']), foreign), 0)
    await stage.pass(0)
    assert.lengthOf(looked, 2)
    assert.equal(await hasten('a', 'c'), 1)
    await stage.pass(0)
    assert.deepEqual(looked.slice(2), ['a', 'a'])
  })

  test('there is one timer and one observation per subject, and the last plan counts', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const at = later(stage.clock.now(), MINUTE)
    for (const kind of [ring, watch]) {
      const ids = [
        await stage.write((scope) => scope.jobs.plan(kind, { subject: 'one', payload: note('a') })),
        await stage.write((scope) =>
          scope.jobs.plan(kind, { subject: 'one', at, payload: note('b') })
        ),
      ]
      assert.equal(ids[0], ids[1])
    }
    const rows = await stage.jobs()
    assert.lengthOf(rows, 2)
    for (const row of rows) {
      assert.containsSubset(row, { due_at: at, visible_at: at, payload: '{"note":"b"}' })
    }
  })

  test('a command is made once per key, and each time without a key', async ({ assert }) => {
    const stage = await Stage.set()
    const command = (idempotencyKey?: string) =>
      stage.write((scope) =>
        scope.jobs.command(order, { subject: 'one', idempotencyKey, payload: note('a') })
      )
    assert.equal(await command('key'), await command('key'))
    assert.notEqual(await command(), await command())
    const rows = await stage.jobs()
    assert.lengthOf(rows, 3)
    assert.equal(rows[0].idempotency_key, 'key')
    assert.deepEqual(
      rows.slice(1).map((row) => row.idempotency_key),
      rows.slice(1).map((row) => row.id)
    )
  })

  test('a payload that does not match the schema of its kind is refused', async ({ assert }) => {
    const stage = await Stage.set()
    const planning = stage.write((scope) =>
      scope.jobs.plan(ring, { subject: 'one', payload: { note: 1 } as never })
    )
    await assert.rejects(() => planning, /test\.ring was planned with a payload/)
  })

  test('jobs belong to their organization: another cannot move or cancel them', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    const other = await makeWorld()
    const plan = (world = stage.world) =>
      stage.write((scope) => scope.jobs.plan(ring, { subject: 'one', payload: note('a') }), world)
    await plan()
    assert.isFalse(await stage.write((scope) => scope.jobs.cancel(ring, 'one'), other))
    const at = later(stage.clock.now(), MINUTE)
    assert.isFalse(await stage.write((scope) => scope.jobs.move(ring, 'one', at), other))
    await plan(other)
    assert.lengthOf(await stage.jobs(), 2)
    assert.isTrue(await stage.write((scope) => scope.jobs.cancel(ring, 'one'), other))
    const left = await stage.jobs()
    assert.deepEqual(
      left.map((row) => row.organization_id),
      [stage.world.organizationId]
    )
  })

  test('a due job is announced after the commit, a later one is not', async ({
    assert,
    cleanup,
  }) => {
    const stage = await Stage.set()
    let heard = 0
    cleanup(emitter.on('jobs:due', () => void heard++))
    const plan = (at?: string) =>
      stage.write((scope) => scope.jobs.plan(ring, { subject: 'one', at, payload: note('a') }))
    await plan(later(stage.clock.now(), MINUTE))
    assert.equal(heard, 0)
    await plan()
    assert.equal(heard, 1)
    const move = (at: string) => stage.write((scope) => scope.jobs.move(ring, 'one', at))
    await move(later(stage.clock.now(), MINUTE))
    assert.equal(heard, 1)
    await move(stage.clock.now())
    assert.equal(heard, 2)
  })
})

const url = process.env.DATABASE_URL

// SQLite has no other processes to notify: they poll.
if (url) {
  test.group('Other processes', () => {
    test('are notified on PostgreSQL after the commit of a due job', async ({ assert }) => {
      const stage = await Stage.set()
      const heard: string[] = []
      const listener = new pg.Client({ connectionString: url })
      await listener.connect()
      await listener.query(`listen ${JOBS_CHANNEL}`)
      listener.on('notification', ({ channel }) => heard.push(channel))
      const plan = (at?: string) =>
        stage.write(async (scope) => {
          await scope.jobs.plan(ring, { subject: 'one', at, payload: note('a') })
          await scope.jobs.plan(watch, { subject: 'one', at, payload: note('a') })
        })
      await plan(later(stage.clock.now(), MINUTE))
      await assert.rejects(() =>
        stage.write(async (scope) => {
          await scope.jobs.plan(ring, { subject: 'one', payload: note('a') })
          throw new Error('no')
        })
      )
      await plan()
      while (heard.length === 0) await listener.query('select 1')
      await listener.query('select 1')
      assert.deepEqual(heard, [JOBS_CHANNEL])
      await listener.end()
    })
  })
}

test.group('Cancelling and moving', () => {
  test('a cancelled timer does not act, a moved one acts at its new time', async ({ assert }) => {
    const rung: string[] = []
    const stage = await Stage.set(
      onTime(ring, {
        actor: 'bell',
        lease: MINUTE,
        retry: { steps: [] },
        act: async (_scope, { subject }) => rung.push(subject),
      })
    )
    const at = later(stage.clock.now(), MINUTE)
    await stage.write(async (scope) => {
      for (const subject of ['one', 'two']) {
        await scope.jobs.plan(ring, { subject, at, payload: note('a') })
      }
    })
    assert.isTrue(await stage.write((scope) => scope.jobs.cancel(ring, 'one')))
    assert.isFalse(await stage.write((scope) => scope.jobs.cancel(ring, 'one')))
    const moved = later(at, MINUTE)
    assert.isTrue(await stage.write((scope) => scope.jobs.move(ring, 'two', moved)))
    await stage.pass(MINUTE)
    assert.deepEqual(rung, [])
    await stage.pass(MINUTE)
    assert.deepEqual(rung, ['two'])
    assert.isFalse(await stage.write((scope) => scope.jobs.move(ring, 'two', moved)))
  })

  test('a command can be cancelled until an attempt has begun', async ({ assert }) => {
    const stage = await Stage.set()
    const command = () =>
      stage.write((scope) => scope.jobs.command(order, { subject: 'one', payload: note('a') }))
    await command()
    assert.isTrue(await stage.write((scope) => scope.jobs.cancel(order, 'one')))
    assert.lengthOf(await stage.jobs(), 0)
    await command()
    // This worker does not know the kind and hands the job back, so no attempt has begun.
    await stage.worker.turn()
    const at = later(stage.clock.now(), MINUTE)
    assert.isTrue(await stage.write((scope) => scope.jobs.move(order, 'one', at)))
    await database.from('jobs').update({ attempts: 1 })
    assert.isFalse(await stage.write((scope) => scope.jobs.move(order, 'one', at)))
    assert.isFalse(await stage.write((scope) => scope.jobs.cancel(order, 'one')))
    assert.lengthOf(await stage.jobs(), 1)
  })

  test('a kind that this version does not know waits for one that does', async ({ assert }) => {
    const stage = await Stage.set()
    await stage.write((scope) => scope.jobs.plan(ring, { subject: 'one', payload: note('a') }))
    for (let minute = 0; minute < 5; minute++) assert.equal(await stage.pass(MINUTE), 1)
    const [row] = await stage.jobs()
    assert.containsSubset(row, { state: 'planned', attempts: 0, doubts: 0, claim_id: null })
  })
})

test.group('Chores', () => {
  test('are planned once among all processes, and run once per interval', async ({ assert }) => {
    let swept = 0
    const sweep = chore('test.sweep', {
      every: MINUTE,
      lease: MINUTE,
      retry: { steps: [MINUTE] },
      async run() {
        swept += 1
        return { hasMore: false }
      },
    })
    const stage = await Stage.set(sweep)
    const workers = [stage.worker, stage.another(), stage.another()]
    for (const worker of workers) worker.start()
    while (swept === 0) await new Promise((done) => setTimeout(done, 10))
    await Promise.all(workers.map((worker) => worker.stop(1000)))
    assert.equal(swept, 1)
    const late = [stage.another(), stage.another()]
    for (let minute = 2; minute <= 4; minute++) {
      stage.clock.advance(MINUTE)
      await Promise.all(late.map((worker) => worker.turn()))
      assert.equal(swept, minute)
    }
  })

  test('go on at once if they ended early, and are retried for ever if they fail', async ({
    assert,
  }) => {
    const results: (boolean | Error)[] = [
      true,
      true,
      false,
      new Error('no'),
      new Error('no'),
      false,
    ]
    let runs = 0
    const sweep = chore('test.sweep', {
      every: 10 * MINUTE,
      lease: MINUTE,
      retry: { steps: [MINUTE] },
      async run() {
        const result = results[runs++]
        if (result instanceof Error) throw result
        return { hasMore: result }
      },
    })
    const stage = await Stage.set(sweep)
    stage.worker.start()
    while (runs < 3) await new Promise((done) => setTimeout(done, 10))
    await stage.worker.stop(1000)
    assert.equal(runs, 3)
    const next = stage.another()
    const after = async (minutes: number) => {
      stage.clock.advance(minutes * MINUTE)
      await next.turn()
      return runs
    }
    assert.equal(await after(9), 3)
    assert.equal(await after(1), 4)
    assert.equal(await after(1), 5)
    assert.equal(await after(1), 6)
    assert.equal(await after(9), 6)
  })
})

test.group('After a clock that was ahead', () => {
  test('leases, attempts, looks and chores are corrected, but planned times stay', async ({
    assert,
  }) => {
    const retry = { steps: [MINUTE, 5 * MINUTE] }
    const policy = { actor: 'test', lease: MINUTE, retry }
    const stage = await Stage.set(
      onTime(ring, { ...policy, act: async () => {} }),
      onObservation(watch, {
        ...policy,
        every: { least: MINUTE, most: 10 * MINUTE },
        poll: async () => {},
        store: async () => 'unchanged',
      }),
      chore('test.sweep', {
        every: 60 * MINUTE,
        lease: MINUTE,
        retry,
        run: async () => ({ hasMore: false }),
      })
    )
    await new PlanChores(database as never, stage.clock, stage.works).handle()
    const far = later(stage.clock.now(), 365 * 24 * 60 * MINUTE)
    await stage.write(async (scope) => {
      for (const subject of ['planned', 'claimed', 'tried']) {
        await scope.jobs.plan(ring, { subject, at: far, payload: note('a') })
      }
      await scope.jobs.plan(watch, { subject: 'seen', at: far, payload: note('a') })
    })
    const change = (subject: string, values: object) =>
      database.from('jobs').where('subject', subject).update(values)
    await change('claimed', { claim_id: 'clm' })
    await change('tried', { attempts: 1 })
    await change('test.sweep', { visible_at: far })
    const reach = new WithinReach(database as never, stage.clock, stage.works)
    await reach.handle()
    const rows = await database.from('jobs').orderBy('place')
    const wait = (at: string) => Date.parse(at) - stage.clock.milliseconds()
    assert.deepEqual(
      rows.map((row) => [
        row.subject,
        row.visible_at === far ? 'far' : wait(row.visible_at) / MINUTE,
      ]),
      [
        ['test.sweep', 60],
        ['planned', 'far'],
        ['claimed', 5.5],
        ['tried', 5.5],
        ['seen', 10],
      ]
    )
    await reach.handle()
    assert.deepEqual(await database.from('jobs').orderBy('place'), rows)
  })
})
