import { ExtensionPoint } from '../extension_point.js'
import type { TableName } from './table.js'

type Row = Readonly<Record<string, unknown>>

/**
 * What is noted of the rows that a transaction changes, and what of them counts. Every table and
 * column does unless somebody says otherwise, so whoever adds one has it counted.
 */
export interface Noting {
  /** Tables of which nothing is noted. */
  isUnnoted(table: string): boolean
  /** Rows that are told where they are destroyed, and count for nothing else. */
  isToldAlone(table: string, row: Row): boolean
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
  notings.parts.some((each) => each.isUnnoted(table))

export const isToldAlone = (table: string, row: Row): boolean =>
  notings.parts.some((each) => each.isToldAlone(table, row))

export const isSharedRow = (table: string): boolean =>
  notings.parts.some((each) => each.isSharedRow(table))

/** Whether what a column held before a change counts. */
export const countsBefore = (table: string, column: string): boolean =>
  !notings.parts.some((each) => each.isPassing(table, column))

/** What counts of the value of a column. */
export function countingOf(table: string, column: string, value: unknown): unknown {
  const passing = notings.parts.flatMap((each) => each.passingMembers(table, column))
  if (passing.length === 0 || (value ?? null) === null) return value
  const whole: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return JSON.parse(
    JSON.stringify(whole, (name, member: unknown) => (passing.includes(name) ? undefined : member))
  )
}

/** Whether what it holds afterwards does. */
export const countsAfter = (table: string, column: string): boolean =>
  countsBefore(table, column) && !notings.parts.some((each) => each.isDrawn(column))

export const countingBeside = (): Beside[] => notings.parts.flatMap(({ beside }) => beside)
