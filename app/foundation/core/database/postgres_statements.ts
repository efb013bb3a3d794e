import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { countYield } from '../yielding.js'
import {
  repeatedPart,
  singlePart,
  combine,
  nameOf,
  type Part,
  type Prepared,
} from './select_batcher.js'
import type { BoundSelect } from './connections.js'
import { forPostgres, inOrder } from './dialects.js'
import type { Bindings, Change, Select } from './statement.js'
import type { Stored } from './table.js'

const prepared = new WeakMap<Select | Change, Prepared>()

export function prepare(statement: Select | Change): Prepared {
  let found = prepared.get(statement)
  if (!found) {
    const numbered = forPostgres(textOf(statement))
    found = { ...numbered, name: nameOf(numbered.text) }
    prepared.set(statement, found)
  }
  return found
}

function textOf(statement: Select | Change): string {
  const list = (columns: Select['columns']) =>
    columns.map(([name, { sql }]) => `${sql} as "${name}"`).join(', ')
  if ('rest' in statement) return `select ${list(statement.columns)} ${statement.rest}`
  if (statement.returning.length === 0) return statement.sql
  return `${statement.sql} returning ${list(statement.returning)}`
}

const held = new WeakSet<Writable>()

/**
 * Buffers the statements of one turn of the event loop and writes them together: each write to the
 * socket costs about as much as a small statement.
 */
export function sendTogether(connection: ClientBase): void {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  // Two ticks, because `SelectBatcher` sends its SELECTs at the end of the first.
  process.nextTick(() =>
    process.nextTick(() => {
      held.delete(stream)
      stream.uncork()
    })
  )
}

/** Runs a statement on a connection; its rows come as lists of values. */
export function query(connection: ClientBase, statement: Select | Change, bindings: Bindings) {
  const ready = prepare(statement)
  return run(connection, ready, inOrder(ready, bindings))
}

async function run(
  connection: ClientBase,
  { name, text }: Omit<Prepared, 'order'>,
  values: Stored[]
) {
  sendTogether(connection)
  const result = await connection.query<Stored[]>({ name, text, values, rowMode: 'array' })
  countYield()
  return result
}

/** Maximum number of arguments of a PostgreSQL function. */
const MAX_COLUMNS = 100

/** The copies of a SELECT with several sets of bindings in a statement: one, or one per set. */
type RepeatedSelects = 'merged' | 'separate'

/** Answers several SELECTs by one statement; null if they cannot be asked as one. */
function queryTogether(
  connection: ClientBase,
  selects: readonly BoundSelect[],
  repeated: RepeatedSelects
): Promise<Stored[][][]> | null {
  if (selects.some(({ statement }) => statement.columns.length > MAX_COLUMNS)) return null
  const groups = Map.groupBy(selects.keys(), (index) =>
    repeated === 'merged' ? selects[index].statement : index
  )
  const parts = [...groups.values()].flatMap((places) =>
    partsOf(
      selects[places[0]].statement,
      places.map((place) => selects[place].bindings),
      places
    )
  )
  const ready = combine(parts.map(({ part }) => part))
  if (!ready) return null
  const values = parts.flatMap(({ part }) => part.values)
  return run(connection, ready, values).then(({ rows: [row] }) => {
    const results: Stored[][][] = []
    for (const [index, { places, isEach }] of parts.entries()) {
      const found = row[index] as unknown as Stored[][] | Stored[][][]
      const all = (isEach ? found : [found]) as Stored[][][]
      for (const [order, place] of places.entries()) results[place] = all[order]
    }
    return results
  })
}

/** A part of a statement, and the indices of the SELECTs that it answers. */
interface Answering {
  part: Part
  places: readonly number[]
  /** True if it gives a list of answers. */
  isEach: boolean
}

/**
 * Returns one part for all sets of bindings of a SELECT where their types allow it, otherwise one
 * each.
 */
function partsOf(
  statement: Select,
  all: readonly Bindings[],
  places: readonly number[]
): Answering[] {
  const ready = prepare(statement)
  const columns = statement.columns.map(([name]) => name)
  const values = all.map((bindings) => inOrder(ready, bindings))
  const each = all.length > 1 ? repeatedPart(columns, ready, values) : null
  if (each) return [{ part: each, places, isEach: true }]
  return values.map((own, index) => ({
    part: singlePart(columns, ready, own),
    places: [places[index]],
    isEach: false,
  }))
}

/**
 * Asks several SELECTs by one statement, or by one each where they cannot be combined.
 * @returns the values of the rows, by SELECT
 */
export async function askAll(
  connection: ClientBase,
  selects: readonly BoundSelect[],
  repeated: RepeatedSelects = 'separate'
): Promise<Stored[][][]> {
  const one = selects.length > 1 ? queryTogether(connection, selects, repeated) : null
  if (one) return one
  const each = selects.map(({ statement, bindings }) => query(connection, statement, bindings))
  return (await Promise.all(each)).map(({ rows }) => rows)
}

/** Returns the text that identifies a SELECT with its bindings. */
export function textOfSelect({ statement, bindings }: BoundSelect): string {
  const ready = prepare(statement)
  return `${ready.name} ${JSON.stringify(inOrder(ready, bindings))}`
}
