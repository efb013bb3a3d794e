import type { TableName } from './table.js'

/** A table by its name, or under another name: `integration_hooks as h`. */
type Named = TableName | `${TableName} as ${string}`

/**
 * Starts a query of a table without a scope, for work across organizations and for tables that
 * belong to none. The name of an undeclared table does not compile.
 */
export function from<Query>(client: { from(table: string): Query }, name: Named): Query {
  return client.from(name)
}

/** Starts an insert into a table without a scope. */
export function into<Query>(client: { table(table: string): Query }, name: TableName): Query {
  return client.table(name)
}
