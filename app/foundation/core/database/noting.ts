import { ExtensionPoint } from '../extension_point.js'
import type { TableName } from './table.js'

type Row = Readonly<Record<string, unknown>>

/**
 * The recording of the rows that a transaction changes. Every table and column counts unless it is
 * listed here, so a new one counts by default.
 */
export interface Noting {
  /** Tables whose changes are not recorded. */
  isUnnoted(table: string): boolean
  /** Rows that do not count: only their destruction is reported. */
  isReportedAlone(table: string, row: Row): boolean
  /** Tables whose rows several actions share: only the changed columns of such a row count. */
  isSharedRow(table: string): boolean
  /** Columns that the service keeps up to date by itself. */
  isPassing(table: string, column: string): boolean
  /** Members of a JSON column that the service keeps up to date, beside those that people set. */
  passingMembers(table: string, column: string): readonly string[]
  /** Columns with generated values, which differ each time that the same is done. */
  isDrawn(column: string): boolean
  /** Unchanged rows that count because a changed row refers to them. */
  beside: readonly Beside[]
}

/** Joins a changed table (`table.by`) to the rows that count beside it (`beside.its`). */
export interface Beside {
  table: TableName
  by: string
  beside: TableName
  its: string
}

export const notings = new ExtensionPoint<Noting>()

export const isUnnoted = (table: string): boolean =>
  notings.all.some((each) => each.isUnnoted(table))

export const isReportedAlone = (table: string, row: Row): boolean =>
  notings.all.some((each) => each.isReportedAlone(table, row))

export const isSharedRow = (table: string): boolean =>
  notings.all.some((each) => each.isSharedRow(table))

/** Returns whether the previous value of a column matters. */
export const countsBefore = (table: string, column: string): boolean =>
  !notings.all.some((each) => each.isPassing(table, column))

/** Returns the part of a column's value that matters. */
export function countingOf(table: string, column: string, value: unknown): unknown {
  const passing = notings.all.flatMap((each) => each.passingMembers(table, column))
  if (passing.length === 0 || (value ?? null) === null) return value
  const whole: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return JSON.parse(
    JSON.stringify(whole, (name, member: unknown) => (passing.includes(name) ? undefined : member))
  )
}

/** Returns whether the new value of a column matters. */
export const countsAfter = (table: string, column: string): boolean =>
  countsBefore(table, column) && !notings.all.some((each) => each.isDrawn(column))

export const countingBeside = (): Beside[] => notings.all.flatMap(({ beside }) => beside)
