import { test } from '@japa/runner'
import { mayHaveMore } from '../json_members.js'

const listOf = (count: number, item: string) => `[${Array.from({ length: count }, () => item)}]`

test.group('Answers of many members', () => {
  test('are counted before they are parsed, whatever their strings contain', ({ assert }) => {
    const many = [
      listOf(1001, '{}'),
      listOf(1001, '1'),
      listOf(501, '[1,2]'),
      `{${Array.from({ length: 1001 }, (_, index) => `"k${index}":1`)}}`,
      '['.repeat(3000),
    ]
    for (const json of many) assert.isTrue(mayHaveMore(json, 1000), json.slice(0, 20))
    const few = [
      listOf(900, `"${',[{\\"'.repeat(20)}"`),
      JSON.stringify({ text: ','.repeat(100_000) }),
      `"${'\\'.repeat(5001)}`,
      ' '.repeat(10_000),
      '',
    ]
    for (const json of few) assert.isFalse(mayHaveMore(json, 1000), json.slice(0, 20))
  })
})
