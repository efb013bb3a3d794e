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
