import { test } from '@japa/runner'
import type { Problem } from '#foundation/core/problems/problem'
import { requireBrief } from '../require_brief.js'

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 1]))

const codeOf = (message: unknown) => {
  try {
    requireBrief(message)
    return null
  } catch (error) {
    return (error as Problem).code
  }
}

test.group('Messages of many members', () => {
  test('only the arguments of a tool may have many', ({ assert }) => {
    const call = { jsonrpc: '2.0', id: 1, params: { name: 'x', arguments: members(40_000) } }
    for (const message of [call, null, 7, 'a', members(1000), { params: null }])
      assert.isNull(codeOf(message))
    const large = members(1001)
    for (const message of [
      large,
      { params: large },
      { params: { _meta: large } },
      { params: { _meta: { params: { arguments: large } } } },
    ])
      assert.equal(codeOf(message), 'too_complex')
  })
})
