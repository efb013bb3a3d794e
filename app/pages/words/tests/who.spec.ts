import { test } from '@japa/runner'
import { namesOf, within } from '../who.js'

test.group('The names of those who act', () => {
  test('name the role of a release pilot while nobody has it', ({ assert }) => {
    const named = namesOf([{ type: 'releasePilot', name: 'Release pilot' }])
    assert.deepEqual([named, within(named)], ['The release pilot', 'the release pilot'])
    assert.equal(namesOf([{ type: 'releasePilot', id: 'user_1', name: 'Ada' }]), 'Ada')
  })
})
