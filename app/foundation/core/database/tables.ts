import { integer, optional, table, text } from './table.js'

/** Rows that an open transaction has changed, while it records them; otherwise empty. */
export const touchedRows = table('touched_rows', {
  /** In the order of the changes. */
  place: integer(),
  tableName: text(),
  /** The row before, as JSON; null for an inserted row. */
  beforeRow: optional(text()),
  /** The row after, as JSON; null for a deleted row. */
  afterRow: optional(text()),
})
