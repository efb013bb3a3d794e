import type { TableName } from './table.js'

/** A table by its name, or under another name: `integration_hooks as h`. */
type Named = TableName | `${TableName} as ${string}`

/**
 * A query of a table, for what no scope does: work for all organizations, and tables that belong
 * to none. A name that nobody described does not compile.
 */
export function from<Query>(client: { from(table: string): Query }, name: Named): Query {
  return client.from(name)
}

/** The same to insert rows. */
export function into<Query>(client: { table(table: string): Query }, name: TableName): Query {
  return client.table(name)
}
