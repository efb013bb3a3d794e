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

/** Returns quoted column names for a statement, as some are reserved words of SQL. */
export function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** Statements translated for PostgreSQL and SQLite, by their original text. */
const numbered = new Map<string, Numbered & { name: string }>()
const texts = new Map<string, string>()

/** Settings of PostgreSQL until the transaction ends. */
const BY_INDEX = `select set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`

/** The prefix of the name separates its plan from that of the same text elsewhere. */
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
 * Runs SQL with named bindings (`:name`) on the connection of a transaction. A delivery takes several
 * statements, and building them with a query builder costs more than running them.
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
   * Has PostgreSQL plan each statement once per connection, as planning costs five times as much as
   * running. A plan may be made for an empty backlog but has to suit any, so plans use indexes alone.
   */
  static byIndex(client: TransactionClientContract, connection: unknown): Statements {
    const statements = new Statements(client, connection)
    if (statements.isPostgres) {
      // Not awaited: if it fails, the following statements of the transaction fail, too.
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

  /** Updates columns of the row with an id. */
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
