import { test } from '@japa/runner'
import { counted } from '#tests/support/counted'
import { Faults } from '../core/problems/faults.js'

test.group('Faults', () => {
  test('broken members are not sound, nor are the members that contain them', ({ assert }) => {
    const faults = new Faults(['/a/b/0', '/ab', '/c~1d/e'])
    for (const pointer of ['', '/a', '/a/b', '/a/b/0', '/ab', '/c~1d'])
      assert.isFalse(faults.isSound(pointer), pointer)
    for (const pointer of ['/a/b/1', '/a/c', '/b', '/abc', '/c', '/a/b/0/x'])
      assert.isTrue(faults.isSound(pointer), pointer)
    assert.isTrue(new Faults().isSound(''))
    assert.isFalse(new Faults(['']).isSound(''))
  })

  test('looking up many places does not iterate over the broken ones', ({ assert }) => {
    const broken = counted(Array.from({ length: 500 }, (_, index) => `/items/${index}/title`))
    const faults = new Faults(broken.value)
    const before = broken.reads()
    for (let index = 0; index < 500; index++) faults.isSound(`/items/${index}/position`)
    assert.equal(broken.reads(), before)
  })
})
