import { test } from '@japa/runner'
import { KeptWhileUnchanged } from '../kept_while_unchanged.js'

const AT = '2026-11-19T13:20:00.000Z'

test.group('Values that are kept while nothing changes', () => {
  test('are found for a minute while the number of changes is the same', ({ assert }) => {
    const kept = new KeptWhileUnchanged<number>(10)
    kept.keep('turns', '7', AT, 3)
    assert.equal(kept.find('turns', '7', AT), 3)
    assert.equal(kept.find('turns', '7', '2026-11-19T13:20:59.999Z'), 3)
    assert.isUndefined(kept.find('turns', '7', '2026-11-19T13:21:00.000Z'))
    assert.isUndefined(kept.find('turns', '8', AT))
    assert.isUndefined(kept.find('others', '7', AT))
  })

  test('are not kept without a number of changes, and are limited in count', ({ assert }) => {
    const kept = new KeptWhileUnchanged<number>(2)
    kept.keep('a', undefined, AT, 1)
    assert.isUndefined(kept.find('a', undefined, AT))
    for (const [index, question] of ['a', 'b', 'a', 'c'].entries()) {
      kept.keep(question, '1', AT, index)
    }
    assert.deepEqual(
      ['a', 'b', 'c'].map((question) => kept.find(question, '1', AT)),
      [2, undefined, 3]
    )
  })
})
