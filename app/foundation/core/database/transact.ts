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
 * Runs work in one transaction. What it wrote is stored when this resolves, and not stored
 * when it rejects with anything but `outcome_unknown`. Every transaction of the service goes
 * through here: the query builder's own answer a COMMIT that failed as done
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
 * The grace of a service that stops is over: whoever waits for others to write is refused with
 * `not_ready`, and nothing was begun. Work that is no request has `LAST_MS` yet.
 */
export function endTransactions(database: Database): void {
  ended.add(database)
  lineOf(database).end()
}
