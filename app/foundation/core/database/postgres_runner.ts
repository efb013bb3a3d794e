import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { forPostgres, inOrder, type Numbered } from './dialects.js'
import { demandOpen } from './lend_client.js'
import type { StatementRunner } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** A statement as PostgreSQL gets it: prepared under its name once per connection. */
interface Prepared extends Numbered {
  name: string
}

const prepared = new WeakMap<Select | Change, Prepared>()

export function prepare(statement: Select | Change): Prepared {
  let found = prepared.get(statement)
  if (!found) {
    const numbered = forPostgres(textOf(statement))
    const name = createHash('sha1').update(numbered.text).digest('base64url')
    found = { ...numbered, name }
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
  process.nextTick(() => {
    held.delete(stream)
    stream.uncork()
  })
}

/** Runs a statement on a connection; its rows come as lists of values. */
export async function query(
  connection: ClientBase,
  statement: Select | Change,
  bindings: Bindings
) {
  const ready = prepare(statement)
  const { name, text } = ready
  const values = inOrder(ready, bindings)
  sendTogether(connection)
  return connection.query<Stored[]>({ name, text, values, rowMode: 'array' })
}

/**
 * Runs statements on the connection of a transaction. They are sent without waiting for those
 * before them to be answered, and answered in the order they were sent.
 */
export class PostgresRunner implements StatementRunner {
  readonly #sent: Promise<unknown>[] = []

  /** @param begun the answer to the BEGIN; it may be under way while the first rows are asked for */
  constructor(
    private readonly connection: ClientBase,
    private readonly begun: Promise<unknown>,
    private readonly isOver: () => boolean
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    demandOpen(!this.isOver())
    const { rows } = await query(this.connection, statement, bindings)
    return rows.map((values) => rowOf<Row>(statement.columns, values))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    await this.begun
    demandOpen(!this.isOver())
    const { rows, rowCount } = await query(this.connection, statement, bindings)
    return {
      rows: rows.map((values) => rowOf<Row>(statement.returning, values)),
      count: rowCount ?? 0,
    }
  }

  async send(statement: Change, bindings: Bindings): Promise<void> {
    await this.begun
    demandOpen(!this.isOver())
    const sent = query(this.connection, statement, bindings)
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** Waits for what was sent. @throws the first failure: those after it are its consequence */
  async arrived(): Promise<void> {
    await Promise.all(this.#sent)
  }
}
