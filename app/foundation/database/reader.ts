import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import BetterSqlite3 from 'better-sqlite3'

export type Bindings = Record<string, string | number>

/**
 * Runs plain SELECTs with named bindings (`:name`), for the paths that are asked all the
 * time: the query builder and the models cost more there than the database does.
 */
export interface Reader {
  all<Row>(sql: string, bindings: Bindings): Promise<Row[]>
}

/** Reads through a client of the pool: inside a transaction, or on PostgreSQL. */
export class ClientReader implements Reader {
  constructor(private readonly client: () => QueryClientContract) {}

  async all<Row>(sql: string, bindings: Bindings): Promise<Row[]> {
    const result = await this.client().rawQuery(sql, bindings)
    return (Array.isArray(result) ? result : result.rows) as Row[]
  }
}

const CACHED_STATEMENTS = 200

/**
 * Reads SQLite over a connection of its own. In WAL mode it sees what is committed and
 * waits for nobody; prepared statements are kept.
 */
export class SqliteReader implements Reader {
  #connection: BetterSqlite3.Database | undefined
  readonly #statements = new Map<string, BetterSqlite3.Statement>()

  constructor(private readonly file: string) {}

  async all<Row>(sql: string, bindings: Bindings): Promise<Row[]> {
    return this.#statement(sql).all(bindings) as Row[]
  }

  close(): void {
    this.#statements.clear()
    this.#connection?.close()
    this.#connection = undefined
  }

  #statement(sql: string): BetterSqlite3.Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      this.#connection ??= new BetterSqlite3(this.file, { readonly: true, timeout: 10_000 })
      statement = this.#connection.prepare(sql)
      if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear()
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
