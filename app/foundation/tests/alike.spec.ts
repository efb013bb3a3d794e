import { test } from '@japa/runner'
import fc from 'fast-check'
import { alike } from '../core/alike.js'

const values = fc.record(
  { name: fc.constantFrom('a', 'b'), position: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: [] }
)

test.group('Changes that are alike', () => {
  test('are put together: each row that changes once, with its own change', ({ assert }) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), values, { maxKeys: 20 }), (changes) => {
        const groups = alike(Object.entries(changes))
        const again = groups.flatMap(({ ids, values: same }) => ids.map((id) => [id, same]))
        const changing = Object.entries(changes).filter(([, each]) => Object.keys(each).length > 0)
        assert.sameDeepMembers(again, changing)
        const different = new Set(groups.map((group) => JSON.stringify(group.values)))
        assert.equal(different.size, groups.length)
      })
    )
  })
})
