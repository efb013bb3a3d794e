import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { later } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { onTime, type Job } from '../handlers.js'
import { LEASE, MINUTE, Stage, ring } from './support/stage.js'
import { fact, facts, note, policy } from './support/facts.js'

const plan = (stage: Stage, wait = 0) =>
  stage.write((scope) =>
    scope.jobs.plan(ring, {
      subject: 'one',
      at: later(scope.now, wait),
      payload: note('a'),
    })
  )

test.group('A timer', () => {
  test('acts once, at its time and not before', async ({ assert }) => {
    const stage = await Stage.set(
      onTime(ring, { ...policy, act: async (scope, { payload }) => fact(scope, payload.note) })
    )
    await plan(stage, MINUTE)
    assert.equal(await stage.pass(MINUTE - 1), 0)
    assert.equal(await stage.pass(1), 1)
    assert.equal(await stage.pass(10 * MINUTE), 0)
    assert.deepEqual(await facts(stage), ['a'])
    assert.lengthOf(await stage.jobs(), 0)
  })

  test('has no effect in a failed attempt, and is retried in steps', async ({ assert }) => {
    let attempts = 0
    const stage = await Stage.set(
      onTime(ring, {
        ...policy,
        async act(scope, { attempt }) {
          attempts += 1
          fact(scope, `attempt ${attempt}`)
          if (attempt < 3) throw new Error('not yet')
        },
      })
    )
    await plan(stage)
    await stage.pass(0)
    assert.containsSubset((await stage.jobs())[0], {
      state: 'planned',
      attempts: 1,
      claim_id: null,
      last_error: 'not yet',
      visible_at: later(stage.clock.now(), MINUTE),
    })
    await stage.pass(MINUTE - 1)
    assert.equal(attempts, 1)
    await stage.pass(1)
    await stage.pass(2 * MINUTE - 1)
    assert.equal(attempts, 2)
    await stage.pass(1)
    assert.deepEqual(await facts(stage), ['attempt 3'])
    assert.lengthOf(await stage.jobs(), 0)
  })

  test('is given up after the last attempt, and then runs its `afterLast`', async ({ assert }) => {
    for (const isBroken of [false, true]) {
      const stage = await Stage.set(
        onTime(ring, {
          ...policy,
          act: async () => {
            throw new Error('never')
          },
          async afterLast(scope, _job, reason) {
            fact(scope, `gave up: ${reason}`)
            if (isBroken) throw new Error('nor this')
          },
        })
      )
      await plan(stage)
      for (const wait of [0, MINUTE, 2 * MINUTE]) assert.equal(await stage.pass(wait), 1)
      assert.deepEqual(await facts(stage), isBroken ? [] : ['gave up: never'])
      const [row] = await stage.jobs()
      assert.containsSubset(row, { state: 'failed', attempts: 3, last_error: 'never' })
      assert.equal(await stage.pass(100 * MINUTE), 0)
      assert.include(stage.log, 'A job was given up')
      // After planning it again, its attempts are counted anew.
      await plan(stage)
      assert.containsSubset((await stage.jobs())[0], { state: 'planned', attempts: 0 })
    }
  })

  test('may plan itself again, or cancel itself, while it acts', async ({ assert }) => {
    let count = 0
    const stage = await Stage.set(
      onTime(ring, {
        ...policy,
        async act(scope, { subject, payload }) {
          fact(scope, payload.note)
          count += 1
          if (count === 1) {
            const at = later(scope.now, MINUTE)
            await scope.jobs.plan(ring, { subject, at, payload: note('b') })
          } else await scope.jobs.cancel(ring, subject)
        },
      })
    )
    await plan(stage)
    await stage.pass(0)
    assert.containsSubset((await stage.jobs())[0], { attempts: 0, claim_id: null })
    assert.equal(await stage.pass(MINUTE - 1), 0)
    await stage.pass(1)
    assert.deepEqual(await facts(stage), ['a', 'b'])
    assert.lengthOf(await stage.jobs(), 0)
  })

  test('does not act if it is moved or cancelled while a worker has claimed it', async ({
    assert,
  }) => {
    for (const isMoved of [true, false]) {
      const stage = await Stage.set(
        onTime(ring, { ...policy, act: async (scope) => fact(scope, 'rung') })
      )
      let isDecided = false
      // It is moved or cancelled between the claim and the transaction of the worker.
      const worker = stage.another({
        readScope: (principal) => stage.unitOfWork.readScope(principal),
        inTransaction: async (principal, work) => {
          if (!isDecided) {
            isDecided = true
            await stage.write((scope) =>
              isMoved
                ? scope.jobs.move(ring, 'one', later(scope.now, MINUTE))
                : scope.jobs.cancel(ring, 'one')
            )
          }
          return stage.unitOfWork.inTransaction(principal, work)
        },
      })
      await plan(stage)
      await worker.turn()
      assert.deepEqual(await facts(stage), [])
      await stage.pass(MINUTE)
      assert.deepEqual(await facts(stage), isMoved ? ['rung'] : [])
      assert.lengthOf(await stage.jobs(), 0)
    }
  })

  test('is claimed by another worker once the lease is over, and a worker that comes late stores nothing', async ({
    assert,
  }) => {
    let isLate = true
    let stage: Stage
    const act = async (scope: Scope, { attempt }: Job) => {
      fact(scope, `attempt ${attempt}`)
      if (!isLate) return
      isLate = false
      // Acts as if the lease had ended meanwhile and another worker had claimed the job.
      await scope.transaction
        .from('jobs')
        .update({ claim_id: 'another', visible_at: later(stage.clock.now(), LEASE) })
    }
    stage = await Stage.set(onTime(ring, { ...policy, act }))
    await plan(stage)
    await stage.pass(0)
    // Nothing was stored, not even the other claim, as it was in the same transaction.
    assert.deepEqual(await facts(stage), [])
    assert.equal(await stage.pass(LEASE - 1), 0)
    assert.equal(await stage.pass(1), 1)
    assert.deepEqual(await facts(stage), ['attempt 2'])
  })

  test('is given up without acting if its payload has an older shape', async ({ assert }) => {
    const stage = await Stage.set(onTime(ring, { ...policy, act: async (s) => fact(s, 'rung') }))
    await plan(stage)
    await db.from('jobs').update({ payload: '{"text":"a"}' })
    await stage.pass(0)
    assert.deepEqual(await facts(stage), [])
    assert.containsSubset((await stage.jobs())[0], { state: 'failed' })
  })
})
