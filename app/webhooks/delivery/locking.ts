import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/**
 * Locks the rows of a query until the transaction ends. `skip` leaves out rows that another
 * transaction has locked, `wait` waits for them. SQLite has no row locks and needs none, as its
 * transactions begin IMMEDIATE and so exclude each other.
 */
export function locking<Query extends DatabaseQueryBuilderContract>(
  query: Query,
  held: 'skip' | 'wait'
): Query {
  if (query.client.dialect.name !== 'postgres') return query
  query.forUpdate()
  return held === 'skip' ? (query.skipLocked() as Query) : query
}
