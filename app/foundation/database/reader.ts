import type { QueryClientContract } from '@adonisjs/lucid/types/database'
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

/** Reads through a client of the pool: inside a transaction, or on PostgreSQL. */
export class ClientReader implements Reader {
  constructor(private readonly client: () => QueryClientContract) {}

  async all<Row>({ columns, from }: Select, bindings: Bindings): Promise<Row[]> {
    const list = columns.map(([name, expression]) => `${expression} as ${name}`).join(', ')
    const result = await this.client().rawQuery(`select ${list} ${from}`, bindings)
    return (Array.isArray(result) ? result : result.rows) as Row[]
  }
}

const CACHED_STATEMENTS = 200

/**
 * Reads SQLite over a connection of its own. In WAL mode it sees what is committed and
 * waits for nobody; prepared statements are kept.
 *
 * Rows come as JSON arrays: handing a row over cell by cell costs more than the query
 * does (20 rows of 20 columns: a quarter of the time this way).
 */
export class SqliteReader implements Reader {
  #connection: BetterSqlite3.Database | undefined
  readonly #statements = new Map<string, BetterSqlite3.Statement>()

  constructor(private readonly file: string) {}

  async all<Row>(statement: Select, bindings: Bindings): Promise<Row[]> {
    const texts = this.#prepared(statement).all(bindings) as string[]
    return texts.map((text) => rowOf(statement, JSON.parse(text))) as Row[]
  }

  close(): void {
    this.#statements.clear()
    this.#connection?.close()
    this.#connection = undefined
  }

  #prepared({ columns, from }: Select): BetterSqlite3.Statement {
    const list = columns.map(([, expression]) => expression).join(', ')
    const sql = `select json_array(${list}) ${from}`
    let prepared = this.#statements.get(sql)
    if (!prepared) {
      this.#connection ??= new BetterSqlite3(this.file, { readonly: true, timeout: 10_000 })
      prepared = this.#connection.prepare(sql).pluck()
      if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear()
      this.#statements.set(sql, prepared)
    }
    return prepared
  }
}

function rowOf({ columns }: Select, values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index][0]] = values[index]
  return row
}
