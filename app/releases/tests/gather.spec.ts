import { test } from '@japa/runner'
import fc from 'fast-check'
import { gather, MOST_PAGES } from '../version_control/gather.js'

/** A provider with so many items, in pages of so many. */
const provider = (count: number, size: number, asked: string[]) => async (cursor?: string) => {
  asked.push(cursor ?? '')
  const from = Number(cursor ?? 0)
  const items = Array.from(
    { length: Math.max(0, Math.min(size, count - from)) },
    (_, i) => from + i
  )
  return { items, ...(from + size < count ? { next: String(from + size) } : {}) }
}

test.group('Reading the pages of a provider', () => {
  test('every wanted item comes once, however much is filtered out, in bounded turns', async ({
    assert,
  }) => {
    const cases = fc.record({
      count: fc.integer({ min: 0, max: 300 }),
      size: fc.integer({ min: 1, max: 5 }),
      limit: fc.integer({ min: 1, max: 20 }),
      every: fc.integer({ min: 1, max: 150 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, size, limit, every }) => {
        const found: number[] = []
        let [from, after] = ['', -1]
        for (;;) {
          const asked: string[] = []
          const isWanted = (item: number) => item > after && item % every === 0
          const options = { from, limit, isWanted }
          const { rows, cursor } = await gather(provider(count, size, asked), options)
          assert.isAtMost(asked.length, MOST_PAGES)
          assert.isAtMost(rows.length, limit)
          found.push(...rows.map(({ item }) => item))
          const last = rows.at(-1)
          if (cursor !== null) from = cursor
          else if (rows.length === limit) [from, after] = [last!.cursor, last!.item]
          else break
        }
        const wanted = Array.from({ length: count }, (_, item) => item)
        assert.deepEqual(
          found,
          wanted.filter((item) => item % every === 0)
        )
      }),
      { numRuns: 100 }
    )
  })
})
