import fc from 'fast-check'
import { test } from '@japa/runner'
import { bindingOf, Cursors, page } from '../api/pages.js'
import { Problem } from '../core/problems/problem.js'
import { runs } from '#tests/support/effort'

const cursors = new Cursors('secret')

test.group('Cursors', () => {
  test('are read back as they were written', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 }),
        (binding, keys) => {
          const back = cursors.read(binding, cursors.write(binding, keys))
          return JSON.stringify(back) === JSON.stringify(keys)
        }
      )
    )
  })

  test('are refused if one character differs', ({ assert }) => {
    const written = cursors.write('list', ['2026-11-20T09:00:00.000Z', 'rel_1'])
    for (let index = 0; index < written.length; index++) {
      const other = written[index] === 'A' ? 'B' : 'A'
      const changed = written.slice(0, index) + other + written.slice(index + 1)
      if (Buffer.from(changed, 'base64url').equals(Buffer.from(written, 'base64url'))) continue
      assert.throws(() => cursors.read('list', changed), Problem as never)
    }
  })

  test('are refused if they are arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (sent) => {
        try {
          cursors.read('list', sent)
          return false
        } catch (error) {
          return error instanceof Problem && error.code === 'invalid_cursor'
        }
      })
    )
  })

  test('belong to their list, its filters and this service', ({ assert }) => {
    const binding = bindingOf('/app/a/releases', { status: 'active', limit: 50, cursor: 'x' })
    const written = cursors.write(binding, [1])
    assert.deepEqual(
      cursors.read(bindingOf('/app/a/releases', { limit: 2, status: 'active' }), written),
      [1]
    )
    for (const other of [
      bindingOf('/app/b/releases', { status: 'active' }),
      bindingOf('/app/a/releases', { status: 'completed' }),
      bindingOf('/app/a/releases', {}),
    ]) {
      assert.throws(() => cursors.read(other, written), Problem as never)
    }
    assert.throws(() => new Cursors('other').read(binding, written), Problem as never)
  })

  test('list every unchanged row exactly once, whatever is inserted and deleted meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 40 }),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 200 })), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (start, changes, limit) => {
          const rows = new Set(start)
          const pending = [...changes]
          const untouched = start.filter((id) => !changes.some(([, changed]) => changed === id))
          const seen: number[] = []
          let cursor: string | undefined
          do {
            const { body } = await page({
              cursors,
              path: '/numbers',
              query: { limit, cursor },
              fetch: async ({ limit: most, after }) =>
                [...rows]
                  .sort((a, b) => a - b)
                  .filter((id) => after === null || id > Number(after[0]))
                  .slice(0, most),
              keys: (id) => [id],
              transform: (ids) => ids,
            })
            const { data, pagination } = body as {
              data: number[]
              pagination: { nextCursor: string | null; hasMore: boolean }
            }
            seen.push(...data)
            cursor = pagination.nextCursor ?? undefined
            if (pagination.hasMore !== (cursor !== undefined) || data.length > limit) return false
            const change = pending.shift()
            if (change) change[0] ? rows.add(change[1]) : rows.delete(change[1])
          } while (cursor)
          return new Set(seen).size === seen.length && untouched.every((id) => seen.includes(id))
        }
      ),
      { numRuns: runs(200) }
    )
  })
})
