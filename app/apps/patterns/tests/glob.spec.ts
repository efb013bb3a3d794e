import { test } from '@japa/runner'
import { globProblem } from '../glob.js'

test.group('Globs', () => {
  test('empty and overlong patterns are refused in words', ({ assert }) => {
    assert.isString(globProblem(' '))
    assert.isString(globProblem('*'.repeat(257)))
    assert.isNull(globProblem('*.ipa'))
  })
})
