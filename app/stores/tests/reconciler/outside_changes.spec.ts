import { test } from '@japa/runner'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { seenVersion } from '../../derive/seen.js'
import { findOutsideChanges } from '../../reconciler/outside_changes.js'
import type { Wanted } from '../../reconciler/record.js'

const AT = '2026-11-20T12:00:00.000Z'
const BY = {
  generation: 1,
  by: { type: 'system', id: null, name: 'app store' } as const,
  at: AT,
  reason: null,
}

const seen = (state: StoreVersionState) =>
  seenVersion(
    {
      id: 'V1',
      version: '1.4.0',
      status: { state, raw: state, beganAt: AT, observedAt: AT, lagSeconds: 0 },
    },
    AT
  )
const wanted = (what: Wanted['what'], status: Wanted['status']): Wanted => ({ ...BY, what, status })

test.group('A change outside of the service', () => {
  const none = { wanted: null, rollout: null }

  test('becomes a decision', ({ assert }) => {
    const cases = [
      ['preparing', 'waitingForReview', { wanted: 'submitted' }],
      ['waitingForReview', 'developerRejected', { wanted: 'withdrawn' }],
      ['pendingRelease', 'live', { wanted: 'released' }],
    ] as const
    for (const [before, after, expected] of cases) {
      assert.deepEqual(findOutsideChanges(none, seen(before), seen(after)), [expected])
    }
  })

  test('is not assumed if the store went on by itself, or our own call made the change', ({
    assert,
  }) => {
    assert.isEmpty(findOutsideChanges(none, seen('waitingForReview'), seen('inReview')))
    assert.isEmpty(findOutsideChanges(none, seen('inReview'), seen('rejected')))
    assert.isEmpty(findOutsideChanges(none, seen('inReview'), seen('pendingRelease')))
    const live = { ...seen('live'), release: { method: 'auto' as const, at: null } }
    assert.isEmpty(findOutsideChanges(none, seen('inReview'), live))
    const submitting = { wanted: wanted('submitted', 'underWay'), rollout: null }
    assert.isEmpty(findOutsideChanges(submitting, seen('preparing'), seen('waitingForReview')))
  })

  test('of a rollout is told apart from the days of a phased release', ({ assert }) => {
    const rolling = (
      state: 'active' | 'paused' | 'complete',
      day: number | null,
      percentage = 1
    ) => ({
      ...seen('live'),
      rollout: { state, raw: state, percentage, day, startedAt: null, pausedDays: 0 },
    })
    assert.isEmpty(findOutsideChanges(none, rolling('active', 1), rolling('active', 2, 2)))
    assert.isEmpty(findOutsideChanges(none, rolling('active', 7), rolling('complete', 7, 100)))
    assert.deepEqual(findOutsideChanges(none, rolling('active', 1), rolling('paused', 1)), [
      { rollout: { action: 'pause' } },
    ])
    assert.deepEqual(
      findOutsideChanges(none, rolling('active', null, 5), rolling('active', null, 20)),
      [{ rollout: { action: 'set', percentage: 20 } }]
    )
    const replaced = { ...rolling('complete', 1), state: 'replaced' as const }
    assert.isEmpty(findOutsideChanges(none, rolling('paused', 1), replaced))
    const pausing = {
      wanted: null,
      rollout: { ...BY, status: 'underWay' as const, to: { action: 'pause' as const }, saw: null },
    }
    assert.isEmpty(findOutsideChanges(pausing, rolling('active', 1), rolling('paused', 1)))
  })

  test('of a rollout is not assumed for a release to all users at once by our call or by itself', ({
    assert,
  }) => {
    const staged = (state: 'inactive' | 'complete', percentage: number) => ({
      ...seen(state === 'inactive' ? 'pendingRelease' : 'live'),
      rollout: { state, raw: state, percentage, day: null, startedAt: null, pausedDays: 0 },
    })
    const released = (status: 'underWay' | 'done' | 'failed') => ({
      wanted: wanted('released', status),
      rollout: null,
    })
    const completeRollout = staged('complete', 100)
    const completed = { rollout: { action: 'complete' } } as const
    assert.isEmpty(
      findOutsideChanges(released('underWay'), staged('inactive', 100), completeRollout)
    )
    assert.isEmpty(findOutsideChanges(released('failed'), staged('inactive', 100), completeRollout))
    assert.isEmpty(findOutsideChanges(released('done'), staged('inactive', 100), completeRollout))
    // A store that does not report the first share may begin with all users.
    assert.isEmpty(findOutsideChanges(released('done'), staged('inactive', 0), completeRollout))
    const byItself = { ...completeRollout, release: { method: 'auto' as const, at: null } }
    const submitted = { wanted: wanted('submitted', 'done'), rollout: null }
    assert.isEmpty(findOutsideChanges(submitted, staged('inactive', 100), byItself))
    // Nobody decided it here, or only a part of it.
    const byHand = { ...completeRollout, release: { method: 'manual' as const, at: null } }
    for (const plan of [none, submitted]) {
      const reported = findOutsideChanges(plan, staged('inactive', 100), byHand)
      assert.deepEqual(reported, [{ wanted: 'released' }, completed])
    }
    assert.deepEqual(
      findOutsideChanges(released('underWay'), staged('inactive', 5), completeRollout),
      [completed]
    )
    assert.deepEqual(findOutsideChanges(released('done'), staged('inactive', 5), completeRollout), [
      completed,
    ])
    assert.deepEqual(findOutsideChanges(submitted, staged('inactive', 5), byItself), [completed])
  })
})
