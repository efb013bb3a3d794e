import type { Part, Row } from './part.js'

/*
 * The tables of docs/benchmarks.md. Only `npm run bench -- --write` writes between its markers: it
 * replaces the rows of the parts that it ran, and leaves the others with the commit at which they
 * were taken.
 */

const START = '<!-- figures: written by `npm run bench -- --write` -->'
const END = '<!-- end of figures -->'
const HEAD = ['What', 'Service', 'Beside it', 'Ratio', 'Aim', 'Part', 'Taken']

/** The cells of a row of the page, in the order of `HEAD`. */
type Cells = readonly string[]

const PART = HEAD.indexOf('Part')

type Tables = Readonly<Record<string, readonly Part[]>>

/** A measurement of a part, with its commit and machine. */
export interface Taken {
  part: string
  rows: readonly Row[]
  /** The commit, and how often and how long it was measured. */
  at: string
  machine: string
}

const line = (cells: Cells) => `| ${cells.join(' | ')} |`

function cellsOf({ part, rows, at }: Taken): Cells[] {
  return rows.map(({ what, service, beside = '', ratio, aim = '' }) => {
    const cells = [what, service, beside, ratio?.toFixed(2) ?? '', aim, part, at]
    if (cells.some((cell) => /[|\n]/.test(cell))) throw new Error(`No cell: ${cells.join(', ')}`)
    return cells
  })
}

/** Returns the text between the markers of a page. @throws Error for a page without markers */
function between(page: string): string {
  const [start, end] = [page.indexOf(`${START}\n`), page.indexOf(`\n${END}`)]
  if (start < 0 || end < start) throw new Error('The page has no markers of figures')
  return page.slice(start + START.length + 1, end)
}

/** The rows of a page, in its order. */
export function rowsOf(page: string): Cells[] {
  return between(page)
    .split('\n')
    .filter((each) => each.startsWith('| ') && each !== line(HEAD))
    .map((each) => each.slice(2, -2).split(' | '))
    .map((cells) => HEAD.map((_, column) => cells[column]?.trim() ?? ''))
}

/** The part that a row of a page belongs to. */
export const partOf = (cells: Cells): string => cells[PART]

/** Returns the page with the rows of one part replaced, or rewritten as it is without `taken`. */
export function renewed(page: string, tables: Tables, taken?: Taken): string {
  const rows = new Map<string, Cells[]>()
  for (const cells of rowsOf(page))
    rows.set(partOf(cells), [...(rows.get(partOf(cells)) ?? []), cells])
  if (taken) rows.set(taken.part, cellsOf(taken))
  const machine = taken?.machine ?? /^Machine of the last run: (.*)\.$/m.exec(between(page))?.[1]
  const written = Object.entries(tables).flatMap(([heading, parts]) => {
    const own = parts.flatMap(({ name }) => rows.get(name) ?? [])
    if (own.length === 0) return []
    const lines = [line(HEAD), `|${HEAD.map(() => '---|').join('')}`, ...own.map(line)]
    return [`### ${heading}\n\n${lines.join('\n')}`]
  })
  const text = [`Machine of the last run: ${machine ?? 'none'}.`, ...written].join('\n\n')
  // A function, as `replace` interprets `$` in a text.
  return page.replace(between(page), () => `\n${text}\n`)
}
