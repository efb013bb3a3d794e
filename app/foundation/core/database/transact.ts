import type { Database } from '@adonisjs/lucid/database'
import { isPostgres, type TransactionOptions, type Work } from './connections.js'
import { PostgresTransactions } from './postgres_transactions.js'
import { SqliteTransactions } from './sqlite_transactions.js'
import { isDatabaseAway } from './away.js'
import { noteFailure } from './storing.js'
import { serviceEnds } from './unfinished.js'

const lines = new WeakMap<Database, PostgresTransactions | SqliteTransactions>()
const ended = new WeakSet<Database>()

function lineOf(database: Database): PostgresTransactions | SqliteTransactions {
  let line = lines.get(database)
  if (!line) {
    line = isPostgres(database)
      ? new PostgresTransactions(database)
      : new SqliteTransactions(database)
    lines.set(database, line)
  }
  return line
}

/**
 * Runs work in one transaction. Its writes are stored when this resolves, and not stored when it
 * rejects with anything but `outcome_unknown`. Every transaction of the service goes through here:
 * those of the query builder report a failed COMMIT as done
 * (docs/decisions/0005-writes-and-transactions.md).
 * @throws what the work throws; not_stored, outcome_unknown when the end of it fails.
 */
export async function transact<Result>(
  database: Database,
  work: Work<Result>,
  options: TransactionOptions = {}
): Promise<Result> {
  try {
    return await lineOf(database).run(work, options)
  } catch (error) {
    if (ended.has(database) && isDatabaseAway(error)) throw serviceEnds()
    noteFailure(error)
    throw error
  }
}

/**
 * Ends the grace period of a stopping service: waiting requests are refused with `not_ready`;
 * nothing of them was begun. Other work has another `LAST_MS`.
 */
export function endTransactions(database: Database): void {
  ended.add(database)
  lineOf(database).end()
}
