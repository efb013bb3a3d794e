import { ExtensionPoint } from '../extension_point.js'
import type { TableName } from './table.js'

type Row = Readonly<Record<string, unknown>>

/**
 * Rules for the recording of the rows that a transaction changes. Every table and column counts
 * unless a rule excludes it, so a new one counts by default.
 */
export interface RecordingRules {
  /** Returns whether the changes of a table are not recorded. */
  isUnrecorded(table: string): boolean
  /** Returns whether the rows of a table do not count: only their destruction is reported. */
  isReportedAlone(table: string, row: Row): boolean
  /**
   * Returns whether several actions share the rows of a table: only the changed columns of such a
   * row count.
   */
  isSharedRow(table: string): boolean
  /** Returns whether the service keeps a column up to date by itself. */
  isServiceColumn(table: string, column: string): boolean
  /**
   * Returns the members of a JSON column that the service keeps up to date, beside those that
   * people set.
   */
  serviceMembers(table: string, column: string): readonly string[]
  /**
   * Returns whether a column has generated values, which differ each time that the same is done.
   */
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

export const recordingRules = new ExtensionPoint<RecordingRules>()

export const isUnrecorded = (table: string): boolean =>
  recordingRules.all.some((each) => each.isUnrecorded(table))

export const isReportedAlone = (table: string, row: Row): boolean =>
  recordingRules.all.some((each) => each.isReportedAlone(table, row))

export const isSharedRow = (table: string): boolean =>
  recordingRules.all.some((each) => each.isSharedRow(table))

/** Returns whether the previous value of a column matters. */
export const countsBefore = (table: string, column: string): boolean =>
  !recordingRules.all.some((each) => each.isServiceColumn(table, column))

/** Returns the part of a column's value that matters. */
export function countingOf(table: string, column: string, value: unknown): unknown {
  const excluded = recordingRules.all.flatMap((each) => each.serviceMembers(table, column))
  if (excluded.length === 0 || (value ?? null) === null) return value
  const whole: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return JSON.parse(
    JSON.stringify(whole, (name, member: unknown) => (excluded.includes(name) ? undefined : member))
  )
}

/** Returns whether the new value of a column matters. */
export const countsAfter = (table: string, column: string): boolean =>
  countsBefore(table, column) && !recordingRules.all.some((each) => each.isDrawn(column))

export const countingBeside = (): Beside[] => recordingRules.all.flatMap(({ beside }) => beside)
