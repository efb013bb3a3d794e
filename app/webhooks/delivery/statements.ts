import type BetterSqlite3 from 'better-sqlite3'
import type { ClientBase } from 'pg'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

export type Value = string | number | boolean | null
export type Bindings = Record<string, Value>

/** Columns as a statement lists them: some are words of SQL. */
export function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** A statement for PostgreSQL, by the text it was written as. */
interface Translated {
  text: string
  names: string[]
}

const translated = new Map<string, Translated>()

/**
 * Statements written out, with named bindings (`:name`), on the connection of a transaction.
 * A delivery takes a handful of them, and building them anew costs more than running them.
 */
export class Statements {
  readonly isPostgres: boolean

  constructor(
    client: TransactionClientContract,
    private readonly connection: unknown
  ) {
    this.isPostgres = client.dialect.name === 'postgres'
  }

  async all<Row>(sql: string, bindings: Bindings): Promise<Row[]> {
    if (this.isPostgres) {
      const { text, names } = translate(sql)
      const values = names.map((each) => bindings[each])
      const { rows } = await (this.connection as ClientBase).query(text, values)
      return rows as Row[]
    }
    // The connection keeps its prepared statements itself (sqlite_tuning.ts).
    const statement = (this.connection as BetterSqlite3.Database).prepare(sql)
    const values = asSqlite(bindings)
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

  /** Holds for a column that is one of the texts in a binding, written by `JSON.stringify`. */
  isOneOf(column: string, binding: string): string {
    return this.isPostgres
      ? `${column} in (select jsonb_array_elements_text(:${binding}::jsonb))`
      : `${column} in (select value from json_each(:${binding}))`
  }

  /** What a SELECT ends with to lock its rows; SQLite excludes other writers anyway. */
  locking(held: 'skip' | 'wait'): string {
    if (!this.isPostgres) return ''
    return held === 'skip' ? 'for update skip locked' : 'for update'
  }
}

/**
 * PostgreSQL numbers its bindings. The statement gets no name: a plan that is kept from when
 * the table was small would read all of a backlog.
 */
function translate(sql: string): Translated {
  let known = translated.get(sql)
  if (!known) {
    const names: string[] = []
    const text = sql.replace(/(?<!:):([a-z_]+)/g, (_match, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    })
    known = { text, names }
    translated.set(sql, known)
  }
  return known
}

function asSqlite(bindings: Bindings): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(bindings).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? Number(value) : value,
    ])
  )
}
