import { ExtensionPoint } from '../extension_point.js'
import type { TableName } from './table.js'

type Row = Readonly<Record<string, unknown>>

/**
 * The recording of the rows that a transaction changes. Every table and column counts unless it is
 * listed here, so a new one counts by default.
 */
export interface Noting {
  /** Tables of which nothing is noted. */
  isUnnoted(table: string): boolean
  /** Rows whose destruction is reported by its cause, and that count for nothing else. */
  isReportedAlone(table: string, row: Row): boolean
  /** Tables whose rows several actions share: of one that stays what is changed of it counts. */
  isSharedRow(table: string): boolean
  /** Columns that the service keeps up to date by itself. */
  isPassing(table: string, column: string): boolean
  /** Members of a column of JSON that it keeps up to date, beside what people set. */
  passingMembers(table: string, column: string): readonly string[]
  /** Columns that hold another value each time that the same is done. */
  isDrawn(column: string): boolean
  /** Rows that count beside one that is changed, by a column of either. */
  beside: readonly Beside[]
}

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
