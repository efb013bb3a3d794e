import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Claim } from '#foundation/core/jobs/ends'
import { MINUTE } from '#foundation/core/durations'
import { jobOf, type CommandHandler } from '#foundation/jobs/handlers'
import { unitOfWork } from '#foundation/core/services'
import { reconcileUsual } from '../work/reconcile_store.js'
import { readyWorld } from './support.js'

test.group('A process that is paused before it calls a store', () => {
  test('does not make the call after its deadline', async ({ assert, cleanup }) => {
    const given = await readyWorld()
    const { admin, path, store, world, work } = given
    assert.equal((await admin.put(`${path}/submit`, { force: true })).status, 200)
    const row = await db
      .from('jobs')
      .where({ kind: 'store.reconcile', organization_id: world.organizationId })
      .whereNull('finished_at')
      .firstOrFail()
    const claim = { ...row, payload: JSON.parse(row.payload), attempts: 1 } as Claim
    const before = store.changes.length
    const machine = performance.now.bind(performance)
    cleanup(() => void (performance.now = machine))
    const job = jobOf(claim)
    const { call, storeResult } = reconcileUsual.handler as CommandHandler
    const callAfter = async (pause: number) =>
      call(job, {
        scope: await unitOfWork.readScope(world.principal),
        signal: new AbortController().signal,
        async write(begin) {
          const begun = await unitOfWork.inTransaction(world.principal, begin)
          performance.now = () => machine() + pause
          return begun
        },
      })
    const polled = await callAfter(0)
    if (polled.outcome !== 'applied') throw new Error('It was not polled')
    await world.write((scope) => storeResult(scope, job, polled.result))
    const outcome = await callAfter(5 * MINUTE)
    performance.now = machine
    assert.containSubset(outcome, {
      outcome: 'applied',
      result: { did: 'call', result: { failure: { isUnknown: false, code: 'timeout' } } },
    })
    assert.lengthOf(store.changes, before)
    // The next attempt makes the call after that deadline.
    await work()
    const made = store.changes.slice(before)
    assert.isNotEmpty(made)
    assert.lengthOf(new Set(made), made.length)
  })
})
