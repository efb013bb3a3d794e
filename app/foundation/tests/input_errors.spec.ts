import { test } from '@japa/runner'
import { counted } from '#tests/support/counted'
import { InputErrors } from '../core/problems/input_errors.js'

test.group('InputErrors', () => {
  test('broken members are not sound, nor are the members that contain them', ({ assert }) => {
    const errors = new InputErrors(['/a/b/0', '/ab', '/c~1d/e'])
    for (const pointer of ['', '/a', '/a/b', '/a/b/0', '/ab', '/c~1d'])
      assert.isFalse(errors.isWellFormed(pointer), pointer)
    for (const pointer of ['/a/b/1', '/a/c', '/b', '/abc', '/c', '/a/b/0/x'])
      assert.isTrue(errors.isWellFormed(pointer), pointer)
    assert.isTrue(new InputErrors().isWellFormed(''))
    assert.isFalse(new InputErrors(['']).isWellFormed(''))
  })

  test('looking up many places does not iterate over the broken ones', ({ assert }) => {
    const broken = counted(Array.from({ length: 500 }, (_, index) => `/items/${index}/title`))
    const errors = new InputErrors(broken.value)
    const before = broken.reads()
    for (let index = 0; index < 500; index++) errors.isWellFormed(`/items/${index}/position`)
    assert.equal(broken.reads(), before)
  })
})
