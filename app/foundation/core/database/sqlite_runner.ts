import BetterSqlite3 from 'better-sqlite3'
import { forSqlite, withoutBoolean, withoutBooleans } from './dialects.js'
import { requireOpen } from './lend_client.js'
import { KeptStatements } from './kept_statements.js'
import type { SelectRunner, StatementRunner } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Milliseconds. Readers wait only while the file is rebuilt; a wait blocks the process. */
const BUSY_MS = 100

/** The SQL texts of statements. */
const texts = new WeakMap<Select | Change, string>()

/** Each row becomes one JSON array, because reading cell by cell costs more than the query. */
function textOf(statement: Select | Change): string {
  let written = texts.get(statement)
  if (written === undefined) {
    let text: string
    const list = (columns: Select['columns']) =>
      `json_array(${columns.map(([, { sql }]) => sql).join(', ')})`
    if ('rest' in statement) text = `select ${list(statement.columns)} ${statement.rest}`
    else if (statement.returning.length === 0) text = statement.sql
    else text = `${statement.sql} returning ${list(statement.returning)}`
    written = forSqlite(text)
    texts.set(statement, written)
  }
  return written
}

/** Runs statements on the connection of a transaction, which caches prepared statements. */
export class SqliteRunner implements StatementRunner {
  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly isOver = () => false
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    requireOpen(!this.isOver())
    const found = this.connection.prepare(textOf(statement)).pluck().all(withoutBooleans(bindings))
    return (found as string[]).map((text) => rowOf<Row>(statement.columns, JSON.parse(text)))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    requireOpen(!this.isOver())
    const prepared = this.connection.prepare(textOf(statement))
    if (statement.returning.length === 0) {
      return { rows: [] as Row[], count: prepared.run(withoutBooleans(bindings)).changes }
    }
    const found = prepared.pluck().all(withoutBooleans(bindings)) as string[]
    const rows = found.map((text) => rowOf<Row>(statement.returning, JSON.parse(text)))
    return { rows, count: rows.length }
  }

  async send(statement: Change, bindings: Bindings): Promise<void> {
    await this.change(statement, bindings)
  }

  /** Binds values by position, because binding by name costs as much as storing them. */
  async insertEach(table: string, rows: readonly Record<string, Stored>[]): Promise<void> {
    requireOpen(!this.isOver())
    let columns: readonly string[] = []
    let prepared: BetterSqlite3.Statement | null = null
    for (const row of rows) {
      const names = Object.keys(row)
      if (!prepared || !isSame(names, columns)) {
        columns = names
        const placeholders = columns.map(() => '?').join(', ')
        const sql = `insert into ${table} (${columns.join(', ')}) values (${placeholders})`
        prepared = this.connection.prepare(sql)
      }
      prepared.run(columns.map((name) => withoutBoolean(row[name])))
    }
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, index) => each === other[index])

/**
 * Runs SELECTs on its own connection, with a cache of prepared statements. In WAL mode it sees
 * committed data and never waits for a writer.
 */
export class SqliteSnapshotRunner implements SelectRunner {
  #connection: BetterSqlite3.Database | undefined
  readonly #statements = new KeptStatements<BetterSqlite3.Statement>()

  constructor(private readonly file: string) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const found = this.#prepared(textOf(statement)).all(withoutBooleans(bindings)) as string[]
    return found.map((text) => rowOf<Row>(statement.columns, JSON.parse(text)))
  }

  close(): void {
    this.#statements.forget()
    this.#connection?.close()
    this.#connection = undefined
  }

  #prepared(sql: string): BetterSqlite3.Statement {
    const kept = this.#statements.find(sql)
    if (kept) return kept
    this.#connection ??= new BetterSqlite3(this.file, { readonly: true, timeout: BUSY_MS })
    return this.#statements.keep(sql, this.#connection.prepare(sql).pluck())
  }
}
