import type { Database } from '@adonisjs/lucid/database'
import { isPostgres, type TransactionOptions, type Work } from './connections.js'
import { PostgresTransactions } from './postgres_transactions.js'
import { SqliteTransactions } from './sqlite_transactions.js'
import { noteFailure } from './storing.js'

const lines = new WeakMap<Database, PostgresTransactions | SqliteTransactions>()

/**
 * Runs work in one transaction. What it wrote is stored when this resolves, and not stored
 * when it rejects with anything but `outcome_unknown`. Every transaction of the service goes
 * through here: the query builder's own answer a COMMIT that failed as done
 * (docs/decisions/0011-transactions.md).
 * @throws what the work throws; not_stored, outcome_unknown when the end of it fails.
 */
export async function transact<Result>(
  database: Database,
  work: Work<Result>,
  options: TransactionOptions = {}
): Promise<Result> {
  let line = lines.get(database)
  if (!line) {
    line = isPostgres(database)
      ? new PostgresTransactions(database)
      : new SqliteTransactions(database)
    lines.set(database, line)
  }
  try {
    return await line.run(work, options)
  } catch (error) {
    noteFailure(error)
    throw error
  }
}
