import { test } from '@japa/runner'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { seenVersion } from '../../derive/seen.js'
import { adoptionOf } from '../../reconciler/adoption.js'
import type { Wanted } from '../../reconciler/record.js'

const AT = '2026-11-20T12:00:00.000Z'
const BY = {
  generation: 1,
  by: { type: 'system', id: null, name: 'app store' } as const,
  at: AT,
  reason: null,
}

const look = (state: StoreVersionState) =>
  seenVersion(
    {
      id: 'V1',
      version: '1.4.0',
      status: { state, raw: state, beganAt: AT, observedAt: AT, lagSeconds: 0 },
    },
    AT
  )
const wanted = (what: Wanted['what'], is: Wanted['is']): Wanted => ({ ...BY, what, is })

test.group('A change outside of the service', () => {
  const none = { wanted: null, rollout: null }

  test('becomes a decision', ({ assert }) => {
    const cases = [
      ['preparing', 'waitingForReview', { wanted: 'submitted' }],
      ['waitingForReview', 'developerRejected', { wanted: 'withdrawn' }],
      ['pendingRelease', 'live', { wanted: 'released' }],
    ] as const
    for (const [before, after, expected] of cases) {
      assert.deepEqual(adoptionOf(none, look(before), look(after)), [expected])
    }
  })

  test('is not assumed if the store went on by itself, or our own call made the change', ({
    assert,
  }) => {
    assert.isEmpty(adoptionOf(none, look('waitingForReview'), look('inReview')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('rejected')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('pendingRelease')))
    const live = { ...look('live'), release: { method: 'auto' as const, at: null } }
    assert.isEmpty(adoptionOf(none, look('inReview'), live))
    const submitting = { wanted: wanted('submitted', 'underWay'), rollout: null }
    assert.isEmpty(adoptionOf(submitting, look('preparing'), look('waitingForReview')))
  })

  test('of a rollout is told apart from the days of a phased release', ({ assert }) => {
    const rolling = (
      state: 'active' | 'paused' | 'complete',
      day: number | null,
      percentage = 1
    ) => ({
      ...look('live'),
      rollout: { state, raw: state, percentage, day, startedAt: null, pausedDays: 0 },
    })
    assert.isEmpty(adoptionOf(none, rolling('active', 1), rolling('active', 2, 2)))
    assert.isEmpty(adoptionOf(none, rolling('active', 7), rolling('complete', 7, 100)))
    assert.deepEqual(adoptionOf(none, rolling('active', 1), rolling('paused', 1)), [
      { rollout: { action: 'pause' } },
    ])
    assert.deepEqual(adoptionOf(none, rolling('active', null, 5), rolling('active', null, 20)), [
      { rollout: { action: 'set', percentage: 20 } },
    ])
    const replaced = { ...rolling('complete', 1), state: 'replaced' as const }
    assert.isEmpty(adoptionOf(none, rolling('paused', 1), replaced))
    const pausing = {
      wanted: null,
      rollout: { ...BY, is: 'underWay' as const, to: { action: 'pause' as const }, saw: null },
    }
    assert.isEmpty(adoptionOf(pausing, rolling('active', 1), rolling('paused', 1)))
  })

  test('of a rollout is not assumed for a release to all users at once by our call or by itself', ({
    assert,
  }) => {
    const staged = (state: 'inactive' | 'complete', percentage: number) => ({
      ...look(state === 'inactive' ? 'pendingRelease' : 'live'),
      rollout: { state, raw: state, percentage, day: null, startedAt: null, pausedDays: 0 },
    })
    const released = (is: 'underWay' | 'done' | 'failed') => ({
      wanted: wanted('released', is),
      rollout: null,
    })
    const completeRollout = staged('complete', 100)
    const completed = { rollout: { action: 'complete' } } as const
    assert.isEmpty(adoptionOf(released('underWay'), staged('inactive', 100), completeRollout))
    assert.isEmpty(adoptionOf(released('failed'), staged('inactive', 100), completeRollout))
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 100), completeRollout))
    // A store that does not report the first share may begin with all users.
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 0), completeRollout))
    const byItself = { ...completeRollout, release: { method: 'auto' as const, at: null } }
    const submitted = { wanted: wanted('submitted', 'done'), rollout: null }
    assert.isEmpty(adoptionOf(submitted, staged('inactive', 100), byItself))
    // Nobody decided it here, or only a part of it.
    const byHand = { ...completeRollout, release: { method: 'manual' as const, at: null } }
    for (const plan of [none, submitted]) {
      const reported = adoptionOf(plan, staged('inactive', 100), byHand)
      assert.deepEqual(reported, [{ wanted: 'released' }, completed])
    }
    assert.deepEqual(adoptionOf(released('underWay'), staged('inactive', 5), completeRollout), [
      completed,
    ])
    assert.deepEqual(adoptionOf(released('done'), staged('inactive', 5), completeRollout), [
      completed,
    ])
    assert.deepEqual(adoptionOf(submitted, staged('inactive', 5), byItself), [completed])
  })
})
