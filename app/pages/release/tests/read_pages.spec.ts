import { test } from '@japa/runner'
import type { Ask } from '../../ask.js'
import { readPages } from '../steps/read_pages.js'

test.group('A list that a step shows', () => {
  test('is read page by page, up to a limit beyond which there is more', async ({ assert }) => {
    const listOf = (count: number) => async (_: string, asked: object) => {
      const { cursor = '0', limit } = (asked as { query: Record<string, string> }).query
      const [from, to] = [Number(cursor), Number(cursor) + Number(limit)]
      const data = Array.from({ length: Math.min(to, count) - from }, (__, at) => from + at)
      const hasMore = to < count
      const pagination = { hasMore, nextCursor: hasMore ? String(to) : null }
      return { body: { data, pagination }, etag: '' }
    }
    const read = (count: number) =>
      readPages<number>(listOf(count) as unknown as Ask, 'any', { params: {} })
    const some = await read(250)
    assert.deepEqual([some.items.length, some.items.at(-1), some.isAll], [250, 249, true])
    const most = await read(1001)
    assert.deepEqual([most.items.length, most.isAll], [1000, false])
  })
})
