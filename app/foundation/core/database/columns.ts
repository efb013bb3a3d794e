import { column } from '@adonisjs/lucid/orm'
import type { ColumnOptions } from '@adonisjs/lucid/types/model'

/** JSON kept as text: the same bytes on both databases, in the order they were written. */
export function json(options: Partial<ColumnOptions> = {}) {
  return column({
    ...options,
    prepare: (value: unknown) =>
      value === null || value === undefined ? null : JSON.stringify(value),
    consume: (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value),
  })
}

/** A boolean: SQLite answers 0 and 1. */
export function flag(options: Partial<ColumnOptions> = {}) {
  return column({ ...options, consume: Boolean })
}
