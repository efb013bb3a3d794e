import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/**
 * Locks the rows of a query until the transaction ends: `skip` passes over rows that
 * somebody else holds, `wait` waits for them. SQLite knows no row locks and needs none:
 * its transactions begin IMMEDIATE and exclude each other.
 */
export function locking<Query extends DatabaseQueryBuilderContract>(
  query: Query,
  held: 'skip' | 'wait'
): Query {
  if (query.client.dialect.name !== 'postgres') return query
  query.forUpdate()
  return held === 'skip' ? (query.skipLocked() as Query) : query
}
