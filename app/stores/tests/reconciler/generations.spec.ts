import { test } from '@japa/runner'
import {
  decideOutsideChange,
  decideRollout,
  decideStage,
  stopTakeoff,
  removeDecision,
} from '../../reconciler/decide.js'
import { versionIn, type StoreRecord } from '../../reconciler/record.js'

const AT = '2026-11-20T12:00:00.000Z'
const BY = { by: { type: 'user', id: 'usr_1', name: 'Ada' }, at: AT } as const

const record = (): StoreRecord => ({
  ...{ type: 'google', generation: 0, credentials: 1, lagSeconds: 0 },
  ...{ polledAt: null, pollFailure: null, versions: [], calls: [] },
})
const release = (store: StoreRecord) => decideStage(store, '1.4.0', { what: 'released', ...BY })

test.group('A generation of a store', () => {
  test('is assigned to every decision', ({ assert }) => {
    const store = record()
    const version = versionIn(store, '1.4.0')
    assert.equal(release(store), 1)
    assert.equal(version.wanted?.generation, 1)
    stopTakeoff(store, '1.4.0', AT, 'Ada stopped it before it went out')
    assert.equal(store.generation, 2)
    assert.containsSubset(version.wanted, { generation: 2, status: 'failed', stoppedAt: AT })
    // A stop decides about takeoff and rollout at once: it is one decision.
    assert.equal(release(store), 3)
    const halt = { to: { action: 'halt' }, saw: null, isUrgent: true, ...BY } as const
    assert.equal(decideRollout(store, '1.4.0', halt), 4)
    assert.deepEqual([version.wanted?.generation, version.rollout?.generation], [4, 4])
    assert.equal(store.generation, 4)
    assert.equal(release(store), 5)
    removeDecision(store, '1.4.0', 'wanted')
    assert.isNull(version.wanted)
    assert.equal(store.generation, 6)
    const change = { version: '1.4.0', at: AT, afterStop: null, wanted: 'released' } as const
    decideOutsideChange(store, change, BY.by)
    assert.deepEqual([version.wanted?.generation, store.generation], [7, 7])
  })

  test('stays the same if nothing is decided', ({ assert }) => {
    const store = record()
    stopTakeoff(store, '1.4.0', AT, 'Nothing is on its way')
    assert.equal(store.generation, 0)
  })
})
