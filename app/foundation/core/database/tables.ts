import { integer, optional, table, text } from './table.js'

/** Rows that an open transaction has changed, while it has them noted; empty outside of one. */
export const touchedRows = table('touched_rows', {
  /** In the order of the changes. */
  place: integer(),
  tableName: text(),
  /** The row as JSON; null if there was none. */
  beforeRow: optional(text()),
  /** The same; null if there is none any more. */
  afterRow: optional(text()),
})
