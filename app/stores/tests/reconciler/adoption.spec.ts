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

test.group('what somebody did outside of the service', () => {
  const none = { wanted: null, rollout: null }

  test('is a decision from then on', ({ assert }) => {
    const cases = [
      ['preparing', 'waitingForReview', { wanted: 'submitted' }],
      ['waitingForReview', 'developerRejected', { wanted: 'withdrawn' }],
      ['pendingRelease', 'live', { wanted: 'released' }],
    ] as const
    for (const [before, after, expected] of cases) {
      assert.deepEqual(adoptionOf(none, look(before), look(after)), [expected])
    }
  })

  test('is none where the store went on by itself, or our own call did it', ({ assert }) => {
    assert.isEmpty(adoptionOf(none, look('waitingForReview'), look('inReview')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('rejected')))
    assert.isEmpty(adoptionOf(none, look('inReview'), look('pendingRelease')))
    const live = { ...look('live'), release: { method: 'auto' as const, at: null } }
    assert.isEmpty(adoptionOf(none, look('inReview'), live))
    const submitting = { wanted: wanted('submitted', 'underWay'), rollout: null }
    assert.isEmpty(adoptionOf(submitting, look('preparing'), look('waitingForReview')))
  })

  test('with a rollout is known from the days of a ladder', ({ assert }) => {
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

  test('with a rollout is none where a release to all at once was our own, or came by itself', ({
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
    const whole = staged('complete', 100)
    const completed = { rollout: { action: 'complete' } } as const
    assert.isEmpty(adoptionOf(released('underWay'), staged('inactive', 100), whole))
    assert.isEmpty(adoptionOf(released('failed'), staged('inactive', 100), whole))
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 100), whole))
    // A store that does not say what it begins with may begin with all.
    assert.isEmpty(adoptionOf(released('done'), staged('inactive', 0), whole))
    const byItself = { ...whole, release: { method: 'auto' as const, at: null } }
    const submitted = { wanted: wanted('submitted', 'done'), rollout: null }
    assert.isEmpty(adoptionOf(submitted, staged('inactive', 100), byItself))
    // Nobody here wanted it, or not all of it.
    const byHand = { ...whole, release: { method: 'manual' as const, at: null } }
    for (const plan of [none, submitted]) {
      const reported = adoptionOf(plan, staged('inactive', 100), byHand)
      assert.deepEqual(reported, [{ wanted: 'released' }, completed])
    }
    assert.deepEqual(adoptionOf(released('underWay'), staged('inactive', 5), whole), [completed])
    assert.deepEqual(adoptionOf(released('done'), staged('inactive', 5), whole), [completed])
    assert.deepEqual(adoptionOf(submitted, staged('inactive', 5), byItself), [completed])
  })
})
