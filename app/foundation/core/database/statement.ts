import {
  columnName,
  known,
  type Column,
  type Columns,
  type Stored,
  type Table,
  type ValueOf,
} from './table.js'

export type Bindings = Readonly<Record<string, Stored>>

/** A column in a SELECT, with the expression that gives it. */
interface Expression<Value = unknown> {
  readonly sql: string
  readonly column: Column<Value>
}

type Expressions = Readonly<Record<string, Expression>>

/** A written-out SELECT: its columns by the names of the result, and everything after them. */
export interface Select<Row = unknown> {
  readonly columns: readonly (readonly [name: string, expression: Expression])[]
  readonly rest: string
  /** Carries the type only; has no value. */
  readonly row?: Row
}

/** A written-out INSERT, UPDATE or DELETE, and what it returns. */
export interface Change<Row = unknown> {
  readonly sql: string
  readonly returning: readonly (readonly [name: string, expression: Expression])[]
  readonly row?: Row
}

export type RowOfSelect<Each> = Each extends Select<infer Row> ? Row : never

type RowOfExpressions<Each extends Expressions> = {
  -readonly [Name in keyof Each]: Each[Name] extends Expression<infer Value> ? Value : never
}

/** Returns all columns of a table, or some, under an alias: `of(releases, 'r')`. */
export function of<Described extends Columns>(
  table: Table<Described>,
  alias: string
): { [Name in keyof Described]: Expression<ValueOf<Described[Name]>> }
export function of<Described extends Columns, Name extends keyof Described>(
  table: Table<Described>,
  alias: string,
  members: readonly Name[]
): { [Each in Name]: Expression<ValueOf<Described[Each]>> }
export function of(
  table: Table,
  alias: string,
  members: readonly PropertyKey[] = Object.keys(table.columns)
): Expressions {
  return Object.fromEntries(
    members
      .map(String)
      .map((member) => [
        member,
        { sql: `${alias}.${columnName(member)}`, column: table.columns[member] },
      ])
  )
}

/** Returns an expression with the type of its value: `as(text(), 'u.email')`. */
export const as = <Value>(column: Column<Value>, sql: string): Expression<Value> => ({
  sql,
  column,
})

/**
 * Writes a SELECT with named bindings (`:name`); a list is bound as JSON: `id in json(:ids)`.
 * @param rest everything from the word `from` on
 */
export function select<const Each extends Expressions>(
  columns: Each,
  rest: string
): Select<RowOfExpressions<Each>> {
  return { columns: Object.entries(columns), rest }
}

/** Appends conditions, an order or a limit to a SELECT. */
export const extended = <Row>(statement: Select<Row>, more: string): Select<Row> => ({
  columns: statement.columns,
  rest: `${statement.rest} ${more}`,
})

/** Returns a SELECT with varying conditions before its end; each variant is made once and kept. */
export function variants<Row>(statement: Select<Row>, end: string) {
  const written = new Map<string, Select<Row>>()
  return (conditions: string): Select<Row> => {
    let found = written.get(conditions)
    if (!found) {
      found = extended(statement, `${conditions} ${end}`)
      written.set(conditions, found)
    }
    return found
  }
}

/** Writes a change, with named bindings; `returning` is appended to it. */
export function change<const Each extends Expressions>(
  sql: string,
  returning: Each = {} as Each
): Change<RowOfExpressions<Each>> {
  return { sql, returning: Object.entries(returning) }
}

/** Makes a row from its stored values, in the order of the columns. */
export function rowOf<Row>(columns: Select['columns'], values: readonly Stored[]): Row {
  const row: Record<string, unknown> = {}
  let index = 0
  for (const [name, { column }] of columns) {
    const value = values[index++]
    row[name] = column.kind === 'plain' ? value : known(column, value)
  }
  return row as Row
}
