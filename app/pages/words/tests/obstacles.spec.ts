import { test } from '@japa/runner'
import type { Principal } from '#foundation/core/principal'
import { obstaclesOf, stepThatMatters, type HeldStep } from '../obstacles.js'

const reader = {
  actor: { type: 'user', id: 'usr_ada', name: 'Ada' },
  permissions: { admin: true, actions: new Set(), groupIds: [], appIds: null },
} as unknown as Principal

/** Returns a required step that one condition holds, unless it is complete. */
const step = (
  type: string,
  status: string,
  code = `${type}_open`,
  destinationId: string | null = null
): HeldStep => ({
  ...{ id: type, name: type, type, status, destinationId, required: true, hidden: false },
  ...{ statusChangedAt: null, rollout: null },
  unmet:
    status === 'complete'
      ? []
      : [{ code, message: '', who: [{ type: 'userAction', name: 'SubmitForReview' }] }],
})

const heldBy = (...steps: HeldStep[]) => {
  const release = { status: 'active', steps, whyNotMoving: { release: [], warnings: [], next: [] } }
  const codes = obstaclesOf(release, reader).map(({ condition }) => condition.code)
  return [stepThatMatters(release)?.id, ...codes]
}

test.group('A submission whose build is selected', () => {
  const selected = step('submission', 'inProgress', 'not_submitted')

  test('holds nothing before the steps that come first, even if nobody has begun them', ({
    assert,
  }) => {
    const untouched = step('approvals', 'notStarted')
    assert.deepEqual(heldBy(untouched, selected), ['approvals', 'approvals_open'])
    const begun = step('regressionTesting', 'inProgress')
    assert.deepEqual(heldBy(begun, untouched, selected), [
      'regressionTesting',
      'regressionTesting_open',
    ])
    const done = step('approvals', 'complete')
    assert.deepEqual(heldBy(done, selected), ['submission', 'not_submitted'])
    const later = step('storeReview', 'notStarted')
    assert.deepEqual(heldBy(done, selected, later), ['submission', 'not_submitted'])
  })

  test('holds the release if it needs more, or for another destination', ({ assert }) => {
    const untouched = step('approvals', 'notStarted')
    for (const code of ['submission_running', 'submission_failed', 'store_question']) {
      const other = step('submission', 'inProgress', code)
      assert.deepEqual(heldBy(untouched, other), ['submission', code])
    }
    const blocked = step('submission', 'blocked', 'invalid_binary')
    assert.deepEqual(heldBy(untouched, blocked), ['submission', 'invalid_binary'])
    const elsewhere = step('metadata', 'notStarted', 'metadata_open', 'beta')
    const own = step('submission', 'inProgress', 'not_submitted', 'production')
    assert.deepEqual(heldBy(elsewhere, own), ['submission', 'not_submitted'])
  })
})

test.group('A requested commit that is not in the release', () => {
  test('holds the release before its steps, once it failed', ({ assert }) => {
    const steps = [step('kickoff', 'complete'), step('submission', 'inProgress', 'not_submitted')]
    const holding = (...codes: string[]) => {
      const release = codes.map((code) => ({ code, message: '', who: [] }))
      const why = { release, warnings: [], next: [] }
      return obstaclesOf({ steps, whyNotMoving: why }, reader).map(
        ({ condition: { code }, isBlocking, step: { id, statusChangedAt } }) => [
          ...[code, isBlocking, id, statusChangedAt],
        ]
      )
    }
    const own = ['not_submitted', false, 'submission', null]
    assert.deepEqual(holding('cherry_pick_failed'), [
      ['cherry_pick_failed', true, 'submission', null],
      own,
    ])
    assert.deepEqual(holding('required_step_incomplete'), [own])
  })
})

test.group('What holds a release from outside', () => {
  const by = (steps: HeldStep[], ...codes: string[]) => {
    const release = codes.map((code) => ({ code, message: '', who: [] }))
    const why = { release, warnings: [], next: [] }
    return obstaclesOf({ steps, whyNotMoving: why }, reader)
      .map(({ condition: { code } }) => code)
      .sort()
  }

  test('is the release before it on the train', ({ assert }) => {
    const kickoff = step('kickoff', 'notStarted', 'not_kicked_off')
    const held = by([kickoff], 'train_held', 'not_kicked_off')
    assert.deepEqual(held, ['not_kicked_off', 'train_held'])
  })

  test('is the other release of its pair, once nothing of its own is missing', ({ assert }) => {
    const takeoff = step('takeoff', 'inProgress', 'release_pending')
    assert.deepEqual(by([takeoff], 'pair_waits', 'not_released'), ['pair_waits', 'release_pending'])
    // After the takeoff of both, the step says it already.
    const asked = step('takeoff', 'inProgress', 'pair_waits')
    assert.deepEqual(by([asked], 'pair_waits'), ['pair_waits'])
    assert.deepEqual(by([step('takeoff', 'complete')], 'pair_waits'), ['pair_waits'])
    const review = step('storeReview', 'inProgress', 'in_review')
    assert.deepEqual(by([review, takeoff], 'pair_waits', 'in_review'), [
      'in_review',
      'release_pending',
    ])
  })

  test('is everything that the API names, if nothing but the rollout is left', ({ assert }) => {
    const done = [step('approvals', 'complete')]
    assert.deepEqual(by(done, 'not_submitted'), ['not_submitted'])
    assert.deepEqual(by(done, 'rolling_out'), [])
    const rollout = [step('rollout', 'inProgress', 'rolling_out')]
    const held = by(rollout, 'required_step_incomplete', 'rolling_out')
    assert.deepEqual(held, ['required_step_incomplete', 'rolling_out'])
  })
})

test.group('The step that matters', () => {
  const named = (name: string, status: string, hidden = false) =>
    ({ ...{ id: name, name, type: 'x', status, required: true, hidden }, unmet: [] }) as never
  const of = (status: string, ...steps: never[]) => stepThatMatters({ status, steps })?.name

  test('is the blocked one, else one in progress, else the next, else the last', ({ assert }) => {
    const [done, begun, blocked] = [
      named('done', 'complete'),
      named('begun', 'inProgress'),
      named('blocked', 'blocked'),
    ]
    assert.equal(of('active', done, begun, blocked), 'blocked')
    assert.equal(of('active', done, begun), 'begun')
    assert.equal(of('active', done, named('next', 'notStarted')), 'next')
    const last = named('last', 'complete')
    assert.equal(of('active', done, last, named('left', 'complete', true)), 'last')
    assert.equal(of('completed', done, begun, last), 'last')
    assert.isUndefined(of('active'))
  })
})
