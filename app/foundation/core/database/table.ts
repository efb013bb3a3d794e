import type { Instant } from '../clock.js'

/** Values that both databases accept and return. */
export type Stored = string | number | boolean | null

/** The storage format of a value. */
export type ColumnKind = 'plain' | 'flag' | 'json'

/** A column as the code knows it. */
export interface Column<Value = unknown, Kind extends ColumnKind = ColumnKind> {
  readonly kind: Kind
  /** Carries the type only; has no value. */
  readonly value?: Value
}

export const text = <Value extends string = string>(): Column<Value, 'plain'> => ({ kind: 'plain' })
export const integer = (): Column<number, 'plain'> => ({ kind: 'plain' })
/** A number with a fraction. */
export const real = (): Column<number, 'plain'> => ({ kind: 'plain' })
/** A boolean: SQLite keeps 0 and 1. */
export const flag = (): Column<boolean, 'flag'> => ({ kind: 'flag' })
/** JSON kept as text: the same bytes on both databases, in the order they were written. */
export const json = <Value>(): Column<Value, 'json'> => ({ kind: 'json' })
export const instant = (): Column<Instant, 'plain'> => ({ kind: 'plain' })
/** A column that may be null. */
export const optional = <Value, Kind extends ColumnKind>(
  column: Column<Value, Kind>
): Column<Value | null, Kind> => column

export type Columns = Readonly<Record<string, Column>>

/** A table, described once: SELECTs, row types, models and inserts follow from it. */
export interface Table<Described extends Columns = Columns> {
  readonly name: TableName
  readonly columns: Described
}

/**
 * The tables of the service; these are the foundation's. Each module adds its own in its
 * `tables.ts`, so that the name of an undescribed table does not type-check.
 */
export interface Tables {
  events: true
  event_streams: true
  event_counters: true
  idempotency_keys: true
  jobs: true
  touched_rows: true
}

export type TableName = keyof Tables & string

/** The value type of a column. */
export type ValueOf<Each> = Each extends Column<infer Value> ? Value : never

/** A row of a table, with members named as in the code. */
export type RowOf<Each extends Table> = {
  -readonly [Name in keyof Each['columns']]: ValueOf<Each['columns'][Name]>
}

/** The raw value of a column in the database: a flag may be 0 or 1, JSON is text. */
type StoredValueOf<Each> =
  Each extends Column<infer Value, infer Kind>
    ? { plain: Value; flag: boolean | number; json: string }[Kind] | Extract<Value, null>
    : never

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** A row of a table as the database gives it, with members named as its columns. */
export type StoredRowOf<Each extends Table> = {
  -readonly [Name in keyof Each['columns'] & string as SnakeCase<Name>]: StoredValueOf<
    Each['columns'][Name]
  >
}

/** Describes a table; members are its columns in camel case. */
export function table<const Described extends Columns>(
  name: TableName,
  columns: Described
): Table<Described> {
  return { name, columns }
}

const names = new Map<string, string>()

/** Returns the column of a member: `targetKickoffAt` is `target_kickoff_at`. */
export function columnName(member: string): string {
  let name = names.get(member)
  if (name === undefined) {
    name = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    names.set(member, name)
  }
  return name
}

/** Returns the columns of a table, as the database names them. */
export function columnsOf({ columns }: Table): string[] {
  return Object.keys(columns).map(columnName)
}

/** Converts a value of the code to what the database stores. */
export function stored({ kind }: Column, value: unknown): Stored {
  if (value === null || value === undefined) return null
  return kind === 'json' ? JSON.stringify(value) : (value as Stored)
}

/** Converts a stored value to that of the code. */
export function known({ kind }: Column, value: Stored): unknown {
  if (value === null || kind === 'plain') return value
  return kind === 'flag' ? Boolean(value) : JSON.parse(value as string)
}

/** Converts members of a row to stored values, by column. */
export function storedRow({ columns }: Table, row: object): Record<string, Stored> {
  const values: Record<string, Stored> = {}
  for (const member in row) {
    const column = columns[member]
    const value = (row as Record<string, unknown>)[member]
    if (column && value !== undefined) values[columnName(member)] = stored(column, value)
  }
  return values
}

/** Converts members of a row to stored values, with the type of the table's stored row. */
export function storedMembers<Each extends Table>(
  described: Each,
  members: Partial<RowOf<Each>>
): Partial<StoredRowOf<Each>> {
  return storedRow(described, members) as Partial<StoredRowOf<Each>>
}

/** Converts some columns of a stored row to members as the code knows them. */
export function knownMembers<Each extends Table, Name extends keyof Each['columns'] & string>(
  { columns }: Each,
  row: { readonly [Given in Name as SnakeCase<Given>]: unknown },
  members: readonly Name[]
): Pick<RowOf<Each>, Name> {
  const values: Partial<Record<Name, unknown>> = {}
  for (const name of members) {
    values[name] = known(columns[name], (row as Record<string, Stored>)[columnName(name)])
  }
  return values as Pick<RowOf<Each>, Name>
}
