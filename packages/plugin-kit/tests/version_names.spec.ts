import { test } from '@japa/runner'
import fc from 'fast-check'
import { isSameVersion, spellingsOf } from '../version_names.js'

test.group('Plugin kit | version names', () => {
  test('a version of one to three numbers has as many names as its zeros allow', ({ assert }) => {
    assert.deepEqual(spellingsOf('4.2'), ['4.2.0', '4.2'])
    assert.deepEqual(spellingsOf('4'), ['4.0.0', '4.0', '4'])
    assert.deepEqual(spellingsOf('4.2.1'), ['4.2.1'])
    assert.deepEqual(spellingsOf('04.02'), ['4.2.0', '4.2'])
    assert.deepEqual(spellingsOf('0.0.0'), ['0.0.0', '0.0', '0'])
    for (const text of ['', '4.2.0.1', '4.2-beta', 'production 4.2', '4..2', '4.2.']) {
      assert.deepEqual(spellingsOf(text), [text])
    }
  })

  test('numbers decide which names are the same, however long they are', ({ assert }) => {
    const numbers = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), {
      minLength: 1,
      maxLength: 3,
    })
    const padded = (each: readonly bigint[]) => [0, 1, 2].map((index) => each[index] ?? 0n)
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const isSame = padded(one).every((each, index) => each === padded(other)[index])
        assert.equal(isSameVersion(one.join('.'), other.join('.')), isSame)
        for (const each of spellingsOf(one.join('.'))) {
          assert.isTrue(isSameVersion(each, one.join('.')))
        }
      })
    )
  })
})
