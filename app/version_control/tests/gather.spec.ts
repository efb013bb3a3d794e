import { test } from '@japa/runner'
import fc from 'fast-check'
import type { ProviderError } from '#plugin-kit/provider_error'
import { findTag } from '../repository/find_tag.js'
import { gather, MAX_PAGES } from '../repository/gather.js'
import { runs } from '#tests/support/effort'

/** Returns a provider with a number of items, in pages of a given size. */
const provider = (count: number, size: number, requested: string[]) => async (cursor?: string) => {
  requested.push(cursor ?? '')
  const from = Number(cursor ?? 0)
  const items = Array.from(
    { length: Math.max(0, Math.min(size, count - from)) },
    (_, i) => from + i
  )
  return { items, ...(from + size < count ? { next: String(from + size) } : {}) }
}

test.group('Reading the pages of a provider', () => {
  test('returns every wanted item once, however much is filtered out, in bounded requests', async ({
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
          const requested: string[] = []
          const isWanted = (item: number) => item > after && item % every === 0
          const options = { from, limit, isWanted }
          const { rows, cursor } = await gather(provider(count, size, requested), options)
          assert.isAtMost(requested.length, MAX_PAGES)
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
      { numRuns: runs(100) }
    )
  })

  test('finds a tag on any page, and gives up on an endless list', async ({ assert }) => {
    const tag = (name: string) => ({ name, sha: 'a'.repeat(40), at: '2026-11-20T12:00:00.000Z' })
    let requested = 0
    const tags = (lies: boolean) => ({
      listTags: async (_prefix: string, cursor?: string) => {
        requested += 1
        const page = Number(cursor ?? 0)
        const next = lies || page < 40 ? { next: lies ? '1' : String(page + 1) } : {}
        return { items: [tag(`1.2.0-${lies ? 0 : page}`)], ...next }
      },
    })
    assert.equal((await findTag(tags(false), '1.2.0-40'))?.name, '1.2.0-40')
    assert.isUndefined(await findTag(tags(false), '1.2.0'))
    requested = 0
    const error = await findTag(tags(true), '1.2.0').then(
      () => null,
      (each: unknown) => each as ProviderError
    )
    assert.deepEqual([error?.code, error?.detail.outcome], ['protocol', 'notApplied'])
    assert.equal(requested, 100)
  })
})
