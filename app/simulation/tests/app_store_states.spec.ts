import { test } from '@japa/runner'
import { isInReview, isReleased } from '#stores/reconciler/states'
import { STATES } from '../provider/app_store/states.js'

test.group('States of the App Store', () => {
  test('no state before the end of a review counts as released', ({ assert }) => {
    const out = Object.keys(STATES).filter((raw) => isReleased(STATES[raw]))
    assert.sameMembers(out, [
      'PROCESSING_FOR_DISTRIBUTION',
      'READY_FOR_DISTRIBUTION',
      'REPLACED_WITH_NEW_VERSION',
      'REMOVED_FROM_SALE',
      'DEVELOPER_REMOVED_FROM_SALE',
    ])
    assert.isTrue(isInReview(STATES.WAITING_FOR_EXPORT_COMPLIANCE))
  })
})
