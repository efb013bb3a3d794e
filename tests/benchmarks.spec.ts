import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import type { Part } from '../benchmarks/part.js'
import { TABLES } from '../benchmarks/parts.js'
import { partOf, renewed, rowsOf } from '../benchmarks/tables.js'

const PAGE = readFileSync(new URL('../docs/benchmarks.md', import.meta.url), 'utf8')

const part = (name: string): Part => ({ name, what: name, measure: async () => [] })
const EXAMPLES = { Requests: [part('write'), part('read')], Files: [part('upload')] }

const EMPTY = `# Page

<!-- figures: written by \`npm run bench -- --write\` -->

Machine of the last run: none.

<!-- end of figures -->

More.
`

const taken = (name: string, service: string, at = 'aaaaaaaa, 3 × 5 s') => ({
  part: name,
  rows: [
    { what: `${name} of $& things`, service, beside: `bare 2 /s`, ratio: 0.5, aim: 'at least 0.4' },
  ],
  at,
  machine: '2 × Fast',
})

test.group('figures of docs/benchmarks.md', () => {
  test('each belong to a part that exists', ({ assert }) => {
    const names = Object.values(TABLES).flatMap((parts) => parts.map(({ name }) => name))
    assert.lengthOf(new Set(names), names.length)
    const rows = rowsOf(PAGE)
    assert.isNotEmpty(rows)
    assert.deepEqual(
      rows.filter((cells) => !names.includes(partOf(cells))),
      []
    )
  })

  test('are formatted as the benchmark writes them', ({ assert }) => {
    assert.equal(renewed(PAGE, TABLES), PAGE)
    for (const cells of rowsOf(PAGE)) {
      assert.match(cells.at(-1)!, /^[0-9a-f]{8}( with changes)?, \d+ × [\d.]+ s$/)
    }
  })

  test('stand in the order of the parts, with commit and machine', ({ assert }) => {
    const page = ['upload', 'read', 'write'].reduce(
      (text, name) => renewed(text, EXAMPLES, taken(name, '1 /s')),
      EMPTY
    )
    const head =
      '| What | Service | Beside it | Ratio | Aim | Part | Taken |\n|---|---|---|---|---|---|---|'
    const row = (name: string) =>
      `| ${name} of $& things | 1 /s | bare 2 /s | 0.50 | at least 0.4 | ${name} | aaaaaaaa, 3 × 5 s |`
    const tables = `Machine of the last run: 2 × Fast.

### Requests

${head}
${row('write')}
${row('read')}

### Files

${head}
${row('upload')}`
    assert.equal(
      page,
      EMPTY.replace('Machine of the last run: none.', () => tables)
    )
    assert.equal(renewed(page, EXAMPLES), page)
  })

  test('keep their commit when another part is measured again', ({ assert }) => {
    const before = renewed(
      renewed(EMPTY, EXAMPLES, taken('write', '1 /s')),
      EXAMPLES,
      taken('read', '1 /s')
    )
    const after = renewed(before, EXAMPLES, taken('write', '3 /s', 'bbbbbbbb, 1 × 1 s'))
    assert.deepEqual(
      rowsOf(after).map((cells) => [partOf(cells), cells[1], cells.at(-1)]),
      [
        ['write', '3 /s', 'bbbbbbbb, 1 × 1 s'],
        ['read', '1 /s', 'aaaaaaaa, 3 × 5 s'],
      ]
    )
  })

  test('of a removed part are removed', ({ assert }) => {
    const page = renewed(EMPTY, EXAMPLES, taken('upload', '1 /s'))
    assert.equal(rowsOf(renewed(page, { Requests: EXAMPLES.Requests })).length, 0)
  })

  test('edited by hand are detected', ({ assert }) => {
    const page = renewed(EMPTY, EXAMPLES, taken('write', '1 /s'))
    for (const [from, to] of [
      ['| write |', '| writes |'],
      ['### Requests', '### Request'],
      ['| write of', '|  write of'],
      ['Taken |\n|---', 'Taken |\n\n|---'],
    ]) {
      const changed = page.replace(from, to)
      assert.notEqual(changed, page)
      assert.notEqual(renewed(changed, EXAMPLES), changed, from)
    }
  })
})
