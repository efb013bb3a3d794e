import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { ASK, planOf } from './operations.js'
import { ASKED, type Column } from './operations_table.js'
import { storeIn, type StoreState } from './store_states.js'

/*
 * The effect of an accepted operation: the store gets the decided call once, and no outdated one.
 */

/** Enough turns for a call with a lost answer to be over, and for the next one. */
const TURNS = 4

test.group('The calls to a store after an operation', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    for (const line of ASKED[type].trim().split('\n')) {
      const [state, operation, ...calls] = line.trim().split(/\s+/)
      const isWaiting = calls[0] === 'waits'
      const isNothing = isWaiting || calls[0] === '-'
      const expected = isNothing ? [] : calls.join(' ').split(', ')
      test(`${type}, ${state}, ${operation}: ${calls.join(' ')}`, async ({ assert }) => {
        const given = await storeIn(state as StoreState, type, 'active')
        const before = given.store.changes.length
        const column = operation.replace('!', '') as Column
        const { status, text } = await ASK[column](given, operation.endsWith('!'))
        assert.isBelow(status, 300, text)
        for (let turn = 0; turn < TURNS; turn++) await given.work()
        assert.deepEqual(given.store.changes.slice(before), expected)
        assert.isEmpty(given.store.refused)
        const { standing } = await planOf(given)
        if (isWaiting) assert.equal(standing, 'underWay')
        else assert.notInclude(['underWay', 'question'], standing)
      })
    }

    test(`${type}: a stop of a version that goes out by itself waits until it is out`, async ({
      assert,
    }) => {
      const given = await storeIn('automatic', type, 'active')
      const { admin, path, store, work, run } = given
      assert.equal((await admin.put(`${path}/rollout`, { action: 'pause' })).status, 200)
      await work()
      assert.isEmpty(store.changes)
      const isApple = type === 'apple'
      store.become(isApple ? 'live' : 'rolledOutPartially')
      store.rollout({ state: 'active', ...(isApple ? { day: 1 } : { fraction: 0.1 }) })
      for (let turn = 0; turn < TURNS; turn++) await work()
      assert.deepEqual(store.changes, [`setRollout ${isApple ? 'pause' : 'halt'}`])
      assert.equal((await run('rollout')).data.phased.status, isApple ? 'paused' : 'halted')
    })
  }
})
