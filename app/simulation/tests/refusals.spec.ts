import { test } from '@japa/runner'
import { APP_STORE_REFUSALS } from '#simulated-providers/app_store_state'
import { CODE_REFUSALS } from '#simulated-providers/repository'
import { PLAY_REFUSALS } from '#simulated-providers/play_state'
import { describeError as describe, REFUSALS } from '../provider/shared/refusals.js'

const OTHER_REASONS: Record<string, string> = {
  branchUnknown: 'branch',
  commitUnknown: 'commit',
  nothingToPick: 'nothing_to_pick',
}

const describeError = (status: number, body: unknown) => describe(status, body, new Headers())

test.group('Refusals of a world', () => {
  test('every refusal has an error code of the kit, and no other code has one', ({ assert }) => {
    // Refusals of code with 409 list the conflicting files, and are read separately.
    const ofCode = CODE_REFUSALS.filter((each) => /Unknown$|^nothing/.test(each))
    const all = [...new Set([...APP_STORE_REFUSALS, ...PLAY_REFUSALS, ...ofCode])]
    assert.sameMembers(Object.keys(REFUSALS), all)
    for (const [code, meaning] of Object.entries(REFUSALS)) {
      const reason = OTHER_REASONS[code] ?? code
      assert.deepEqual(describeError(409, { code }), { code: meaning, reason })
    }
  })

  test('anything else is left to its status', ({ assert }) => {
    assert.isUndefined(describeError(200, { code: 'notEditable' }))
    assert.isUndefined(describeError(409, { code: 'somethingElse' }))
    assert.isUndefined(describeError(502, 'a page'))
    assert.isUndefined(describeError(502, null))
  })
})
