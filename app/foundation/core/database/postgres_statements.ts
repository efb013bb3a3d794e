import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { noteYield } from '../yielding.js'
import { asOne, nameOf, type Prepared } from './asked_together.js'
import type { Question } from './connections.js'
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
 * Lets what is asked for within one turn of the event loop go out together: to hand it to the
 * system costs about as much as a small statement.
 */
export function sendTogether(connection: ClientBase): void {
  const { stream } = (connection as unknown as { connection: { stream: Writable } }).connection
  if (held.has(stream)) return
  held.add(stream)
  stream.cork()
  // Two ticks: what is asked for meanwhile goes out at the end of the first (`AskedTogether`).
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

async function run(connection: ClientBase, { name, text }: Prepared, values: Stored[]) {
  sendTogether(connection)
  const answer = await connection.query<Stored[]>({ name, text, values, rowMode: 'array' })
  noteYield()
  return answer
}

/** Arguments that a function of PostgreSQL takes at most. */
const MOST_COLUMNS = 100

/** Answers several SELECTs by one statement; null where they cannot be asked as one. */
function queryTogether(
  connection: ClientBase,
  questions: readonly Question[]
): Promise<Stored[][][]> | null {
  if (questions.some(({ statement }) => statement.columns.length > MOST_COLUMNS)) return null
  const all = questions.map(({ statement }) => prepare(statement))
  const ready = asOne(
    questions.map(({ statement: { columns } }, index) => ({
      columns: columns.map(([name]) => name),
      prepared: all[index],
    }))
  )
  if (!ready) return null
  const values = questions.flatMap(({ bindings }, index) => inOrder(all[index], bindings))
  return run(connection, ready, values).then(({ rows: [row] }) => row as unknown as Stored[][][])
}

/** Asks for the rows of SELECTs: by one statement, or by one each. @returns their values */
export async function askAll(
  connection: ClientBase,
  questions: readonly Question[]
): Promise<Stored[][][]> {
  const one = questions.length > 1 ? queryTogether(connection, questions) : null
  if (one) return one
  const each = questions.map(({ statement, bindings }) => query(connection, statement, bindings))
  return (await Promise.all(each)).map(({ rows }) => rows)
}

/** Returns the text that identifies a question. */
export function textOfQuestion({ statement, bindings }: Question): string {
  const ready = prepare(statement)
  return `${ready.name} ${JSON.stringify(inOrder(ready, bindings))}`
}
