import { test } from '@japa/runner'
import fc from 'fast-check'
import { alike } from '../core/alike.js'

const values = fc.record(
  { name: fc.constantFrom('a', 'b'), position: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: [] }
)

test.group('Equal changes', () => {
  test('are grouped, and each changed row is in exactly one group, with its own values', ({
    assert,
  }) => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), values, { maxKeys: 20 }), (changes) => {
        const groups = alike(Object.entries(changes))
        const regained = groups.flatMap(({ ids, values: same }) => ids.map((id) => [id, same]))
        const changing = Object.entries(changes).filter(([, each]) => Object.keys(each).length > 0)
        assert.sameDeepMembers(regained, changing)
        const different = new Set(groups.map((group) => JSON.stringify(group.values)))
        assert.equal(different.size, groups.length)
      })
    )
  })
})
