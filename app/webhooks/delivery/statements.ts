import { createHash } from 'node:crypto'
import type BetterSqlite3 from 'better-sqlite3'
import type { ClientBase } from 'pg'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import {
  forPostgres,
  forSqlite,
  inOrder,
  withoutBooleans,
  type Numbered,
} from '#foundation/core/database/dialects'
import type { Bindings } from '#foundation/core/database/statement'

/** Columns as a statement lists them: some are words of SQL. */
export function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** Statements for either database, by the text they were written as. */
const numbered = new Map<string, Numbered & { name: string }>()
const texts = new Map<string, string>()

/** Until the transaction ends. */
const BY_INDEX = `select set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`

/** The prefix keeps its plan apart from that of the same text elsewhere. */
function named(sql: string): Numbered & { name: string } {
  const made = forPostgres(sql)
  const hash = createHash('sha1').update(made.text).digest('base64url')
  return { ...made, name: `webhooks ${hash}` }
}

/** Caches a value by key. */
function once<Made>(made: Map<string, Made>, key: string, make: (key: string) => Made): Made {
  let found = made.get(key)
  if (found === undefined) made.set(key, (found = make(key)))
  return found
}

/**
 * Statements written out, with named bindings (`:name`), on the connection of a transaction.
 * A delivery takes a handful of them, and building them anew costs more than running them.
 */
export class Statements {
  readonly isPostgres: boolean
  #keepsPlans = false

  constructor(
    client: TransactionClientContract,
    private readonly connection: unknown
  ) {
    this.isPostgres = client.dialect.name === 'postgres'
  }

  /**
   * Statements that PostgreSQL plans once for each connection: to plan them costs five times
   * what running them does. Their plans must be good for any backlog, and they are made when
   * there may be none; so they are made of indexes alone.
   */
  static byIndex(client: TransactionClientContract, connection: unknown): Statements {
    const statements = new Statements(client, connection)
    if (statements.isPostgres) {
      // Not waited for: if it fails, so does what follows in the transaction.
      ;(connection as ClientBase).query(BY_INDEX).catch(() => {})
      statements.#keepsPlans = true
    }
    return statements
  }

  async all<Row>(sql: string, bindings: Bindings): Promise<Row[]> {
    if (this.isPostgres) {
      const statement = once(numbered, sql, named)
      const values = inOrder(statement, bindings)
      const { text } = statement
      const name = this.#keepsPlans ? statement.name : undefined
      const { rows } = await (this.connection as ClientBase).query({ name, text, values })
      return rows as Row[]
    }
    // The connection keeps its prepared statements itself (sqlite_tuning.ts).
    const text = once(texts, sql, forSqlite)
    const statement = (this.connection as BetterSqlite3.Database).prepare(text)
    const values = withoutBooleans(bindings)
    if (statement.reader) return statement.all(values) as Row[]
    statement.run(values)
    return []
  }

  async first<Row>(sql: string, bindings: Bindings): Promise<Row | null> {
    const [row] = await this.all<Row>(sql, bindings)
    return row ?? null
  }

  async insert(table: string, row: Bindings): Promise<void> {
    const columns = Object.keys(row)
    const values = columns.map((column) => `:${column}`)
    await this.all(
      `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`,
      row
    )
  }

  /** Changes columns of the row with an id. */
  async update(table: string, id: string, changes: Bindings): Promise<void> {
    const list = Object.keys(changes).map((column) => `${column} = :${column}`)
    await this.all(`update ${table} set ${list.join(', ')} where id = :row_id`, {
      ...changes,
      row_id: id,
    })
  }

  /** Returns the end of a SELECT that locks its rows; SQLite excludes other writers anyway. */
  locking(held: 'skip' | 'wait'): string {
    if (!this.isPostgres) return ''
    return held === 'skip' ? 'for update skip locked' : 'for update'
  }
}
