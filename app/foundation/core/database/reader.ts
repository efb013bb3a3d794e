import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import BetterSqlite3 from 'better-sqlite3'

export type Bindings = Record<string, string | number>

/** A SELECT written out: its columns by the name they are read as, and all that follows them. */
export interface Select {
  readonly columns: readonly (readonly [name: string, expression: string])[]
  readonly from: string
}

/**
 * Writes a SELECT: columns as `table.column` (read as `column`) or `expression as name`,
 * then everything from the word `from` on, with named bindings (`:name`).
 */
export function select(columns: readonly string[], from: string): Select {
  return {
    columns: columns.map((column) => {
      const [expression, name] = column.split(' as ')
      return [name ?? expression.split('.').at(-1)!, expression]
    }),
    from,
  }
}

/** The same SELECT with more conditions, order or limit behind it. */
export const extended = (statement: Select, rest: string): Select => ({
  columns: statement.columns,
  from: `${statement.from} ${rest}`,
})

/**
 * Runs plain SELECTs for the paths that are asked all the time: the query builder and the
 * models cost more there than the database does.
 */
export interface Reader {
  all<Row>(statement: Select, bindings: Bindings): Promise<Row[]>
}

/** Reads through a client of the pool: on PostgreSQL. */
export class ClientReader implements Reader {
  constructor(private readonly client: () => QueryClientContract) {}

  async all<Row>({ columns, from }: Select, bindings: Bindings): Promise<Row[]> {
    const list = columns.map(([name, expression]) => `${expression} as ${name}`).join(', ')
    const { rows } = await this.client().rawQuery(`select ${list} ${from}`, bindings)
    return rows as Row[]
  }
}

/** Reads inside a transaction of SQLite, on its own connection. */
class SqliteTransactionReader implements Reader {
  #connection: Promise<BetterSqlite3.Database> | undefined

  constructor(private readonly client: TransactionClientContract) {}

  async all<Row>(statement: Select, bindings: Bindings): Promise<Row[]> {
    const connection = await (this.#connection ??= this.#acquire())
    // The connection keeps its prepared statements itself (sqlite_tuning.ts).
    const texts = connection.prepare(sqlOf(statement)).pluck().all(bindings) as string[]
    return texts.map((text) => rowOf(statement, JSON.parse(text))) as Row[]
  }

  /** The one connection that the transaction holds. */
  #acquire(): Promise<BetterSqlite3.Database> {
    return this.client.knexClient.client.acquireConnection()
  }
}

/** The reader of a transaction: it sees what the transaction has written. */
export function readerIn(client: TransactionClientContract): Reader {
  return client.dialect.name === 'postgres'
    ? new ClientReader(() => client)
    : new SqliteTransactionReader(client)
}

const KEPT_STATEMENTS = 200

/** Most characters of all kept results together, and of one that is worth keeping. */
const KEPT_CHARACTERS = 16 * 1024 * 1024
const KEPT_CHARACTERS_EACH = 128 * 1024

/**
 * Reads SQLite over a connection of its own. In WAL mode it sees what is committed and
 * waits for nobody; prepared statements are kept.
 *
 * Rows come as JSON arrays: handing them over cell by cell costs more than the query.
 * Results are kept for as long as nobody, in whatever process, has committed anything
 * (`data_version`), so asking again what has not changed costs a look-up. Rows hold
 * primitives only and are frozen, because several askers get the same ones.
 */
export class SqliteReader implements Reader {
  #connection: BetterSqlite3.Database | undefined
  #dataVersion: BetterSqlite3.Statement | undefined
  #version: unknown
  readonly #statements = new Map<string, BetterSqlite3.Statement>()
  readonly #results = new Map<string, readonly unknown[]>()
  #keptCharacters = 0

  constructor(private readonly file: string) {}

  async all<Row>(statement: Select, bindings: Bindings): Promise<Row[]> {
    const sql = sqlOf(statement)
    const question = `${sql} ${JSON.stringify(bindings)}`
    this.#forgetWhatChanged()
    const kept = this.#results.get(question)
    if (kept) return [...kept] as Row[]

    const texts = this.#prepared(sql).all(bindings) as string[]
    const rows = texts.map((text) => Object.freeze(rowOf(statement, JSON.parse(text))))
    const size = texts.reduce((sum, text) => sum + text.length, question.length)
    if (size <= KEPT_CHARACTERS_EACH) {
      if (this.#keptCharacters + size > KEPT_CHARACTERS) this.#forget()
      this.#results.set(question, rows)
      this.#keptCharacters += size
    }
    return [...rows] as Row[]
  }

  close(): void {
    this.#statements.clear()
    this.#forget()
    this.#connection?.close()
    this.#connection = undefined
    this.#dataVersion = undefined
  }

  #forgetWhatChanged() {
    this.#connection ??= new BetterSqlite3(this.file, { readonly: true, timeout: 10_000 })
    this.#dataVersion ??= this.#connection.prepare('pragma data_version').pluck()
    const version = this.#dataVersion.get()
    if (version === this.#version) return
    this.#version = version
    this.#forget()
  }

  #forget() {
    this.#results.clear()
    this.#keptCharacters = 0
  }

  #prepared(sql: string): BetterSqlite3.Statement {
    let prepared = this.#statements.get(sql)
    if (!prepared) {
      prepared = this.#connection!.prepare(sql).pluck()
      if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.clear()
      this.#statements.set(sql, prepared)
    }
    return prepared
  }
}

const texts = new WeakMap<Select, string>()

/** The statement as SQLite gets it, written once per statement. */
function sqlOf(statement: Select): string {
  let sql = texts.get(statement)
  if (sql === undefined) {
    const list = statement.columns.map(([, expression]) => expression).join(', ')
    sql = `select json_array(${list}) ${statement.from}`
    texts.set(statement, sql)
  }
  return sql
}

function rowOf({ columns }: Select, values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index][0]] = values[index]
  return row
}
