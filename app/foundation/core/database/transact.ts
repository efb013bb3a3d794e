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
 * rejects with anything but `outcome_unknown`. Every transaction of the service goes through here,
 * because those of the query builder report success even if COMMIT failed
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
 * Ends the grace period of a stopping service: refuses the requests that still wait with
 * `not_ready`, none of which has begun. Other work gets a further `LAST_MS` (connections.ts).
 */
export function endTransactions(database: Database): void {
  ended.add(database)
  lineOf(database).end()
}
