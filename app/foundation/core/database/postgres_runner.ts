import { createHash } from 'node:crypto'
import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf } from './connections.js'
import { forPostgres, inOrder, type Numbered } from './dialects.js'
import { demandOpen } from './lend_client.js'
import type { SelectRunner, StatementRunner } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** A statement as PostgreSQL gets it: prepared under its name once per connection. */
interface Prepared extends Numbered {
  name: string
}

const prepared = new WeakMap<Select | Change, Prepared>()

function prepare(statement: Select | Change): Prepared {
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

async function query(connection: ClientBase, statement: Select | Change, bindings: Bindings) {
  const ready = prepare(statement)
  const { name, text } = ready
  const values = inOrder(ready, bindings)
  return connection.query<Stored[]>({ name, text, values, rowMode: 'array' })
}

/** Runs statements on the connection of a transaction. */
export class PostgresRunner implements StatementRunner {
  constructor(
    private readonly connection: ClientBase,
    private readonly isOver = () => false
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    demandOpen(!this.isOver())
    const { rows } = await query(this.connection, statement, bindings)
    return rows.map((values) => rowOf<Row>(statement.columns, values))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    demandOpen(!this.isOver())
    const { rows, rowCount } = await query(this.connection, statement, bindings)
    return {
      rows: rows.map((values) => rowOf<Row>(statement.returning, values)),
      count: rowCount ?? 0,
    }
  }
}

/** Runs each SELECT on a connection of the pool. */
export class PostgresPoolRunner implements SelectRunner {
  constructor(private readonly database: Database) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const pool = poolOf<ClientBase>(this.database)
    const connection = await pool.acquireConnection()
    try {
      return await new PostgresRunner(connection).rows(statement, bindings)
    } finally {
      await pool.releaseConnection(connection)
    }
  }
}
