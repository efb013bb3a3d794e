import BetterSqlite3 from 'better-sqlite3'
import { nameOf } from './asked_together.js'
import { forSqlite, withoutBoolean, withoutBooleans } from './dialects.js'
import { demandOpen } from './lend_client.js'
import { KeptResults } from './kept_results.js'
import { KeptStatements } from './kept_statements.js'
import { commitsOfThisProcess } from './sqlite_commits.js'
import type { SelectRunner, Sized, StatementRunner } from './runner.js'
import { rowOf, type Bindings, type Change, type Select } from './statement.js'
import type { Stored } from './table.js'

/** Readers wait for nobody but who rebuilds the file; waiting stops the process. */
const BUSY_MS = 100

const texts = new WeakMap<Select | Change, Text>()

/** A statement as SQLite gets it, and a name that says as much and is shorter. */
interface Text {
  text: string
  name: string
}

/** Rows come as JSON arrays: handing them over cell by cell costs more than the query. */
function textOf(statement: Select | Change): Text {
  let written = texts.get(statement)
  if (!written) {
    let text: string
    const list = (columns: Select['columns']) =>
      `json_array(${columns.map(([, { sql }]) => sql).join(', ')})`
    if ('rest' in statement) text = `select ${list(statement.columns)} ${statement.rest}`
    else if (statement.returning.length === 0) text = statement.sql
    else text = `${statement.sql} returning ${list(statement.returning)}`
    text = forSqlite(text)
    written = { text, name: nameOf(text) }
    texts.set(statement, written)
  }
  return written
}

/** Runs statements on the connection of a transaction, which keeps them prepared. */
export class SqliteRunner implements StatementRunner {
  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly isOver = () => false
  ) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    demandOpen(!this.isOver())
    const found = this.connection
      .prepare(textOf(statement).text)
      .pluck()
      .all(withoutBooleans(bindings))
    return (found as string[]).map((text) => rowOf<Row>(statement.columns, JSON.parse(text)))
  }

  async change<Row>(statement: Change<Row>, bindings: Bindings) {
    demandOpen(!this.isOver())
    const prepared = this.connection.prepare(textOf(statement).text)
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

  /** Values go by their place: to hand them over by name costs as much as to store them. */
  async insertEach(table: string, rows: readonly Record<string, Stored>[]): Promise<void> {
    demandOpen(!this.isOver())
    let columns: readonly string[] = []
    let prepared: BetterSqlite3.Statement | null = null
    for (const row of rows) {
      const own = Object.keys(row)
      if (!prepared || !isSame(own, columns)) {
        columns = own
        const places = columns.map(() => '?').join(', ')
        const sql = `insert into ${table} (${columns.join(', ')}) values (${places})`
        prepared = this.connection.prepare(sql)
      }
      prepared.run(columns.map((name) => withoutBoolean(row[name])))
    }
  }
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each, index) => each === other[index])

/**
 * Runs SELECTs over a connection of its own. In WAL mode it sees what is committed and waits
 * for nobody; prepared statements are kept.
 *
 * Results are kept for as long as nobody, in whatever process, has committed anything
 * (`data_version`), so asking again what has not changed costs a look-up.
 */
export class SqliteSnapshotRunner implements SelectRunner {
  #connection: BetterSqlite3.Database | undefined
  #dataVersion: BetterSqlite3.Statement | undefined
  readonly #statements = new KeptStatements<BetterSqlite3.Statement>()
  readonly #kept = new KeptResults()
  /** Looked whether anybody committed since the thread last served others; by whose count. */
  #looked: number | null = null

  constructor(private readonly file: string) {}

  async rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]> {
    const { text: sql, name } = textOf(statement)
    const question = `${name} ${JSON.stringify(bindings)}`
    this.#forgetWhatChanged()
    const kept = this.#kept.find<Row>(question)
    if (kept) return kept
    const found = this.#prepared(sql).all(withoutBooleans(bindings)) as string[]
    const rows = found.map((text) => rowOf<Row>(statement.columns, JSON.parse(text)))
    const size = found.reduce((sum, text) => sum + text.length, 0)
    return this.#kept.keep(question, rows, size)
  }

  async once<Made>(question: string, make: () => Promise<Sized<Made>>): Promise<Made> {
    this.#forgetWhatChanged()
    const kept = this.#kept.findMade(question)
    if (kept !== undefined) return kept as Made
    const { state } = this.#kept
    const { made, size } = await make()
    this.#forgetWhatChanged()
    // What was made while somebody committed may be of both states.
    if (size !== null && this.#kept.state === state) this.#kept.keepMade(question, made, size)
    return made
  }

  close(): void {
    this.#statements.forget()
    this.#kept.forget()
    this.#connection?.close()
    this.#connection = undefined
    this.#dataVersion = undefined
    this.#looked = null
  }

  #forgetWhatChanged() {
    if (this.#looked === commitsOfThisProcess()) return
    this.#looked = commitsOfThisProcess()
    setImmediate(() => (this.#looked = null))
    this.#connection ??= new BetterSqlite3(this.file, {
      readonly: true,
      timeout: BUSY_MS,
    })
    this.#dataVersion ??= this.#connection.prepare('pragma data_version').pluck()
    this.#kept.at(this.#dataVersion.get())
  }

  #prepared(sql: string): BetterSqlite3.Statement {
    const kept = this.#statements.find(sql)
    return kept ?? this.#statements.keep(sql, this.#connection!.prepare(sql).pluck())
  }
}
