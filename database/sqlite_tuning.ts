import type BetterSqlite3 from 'better-sqlite3'
import { KeptStatements } from '#foundation/core/database/kept_statements'
import env from '#start/env'

/**
 * Cache of a connection. Changes of a transaction beyond it go to the log while it runs, rather
 * than all at once at COMMIT; the operating system caches the rest.
 */
const CACHE_KIB = 4 * 1024

/**
 * The time a statement waits for the lock of another process: none, because waiting blocks this
 * one. Transactions of the service retry meanwhile (sqlite_transactions.ts).
 */
export const BUSY_MS = 0

/** A bound limit bears on SQLite's plan, so each call would be planned anew; a sum does not. */
const plannedOnce = (sql: string) => sql.replace(/\blimit \?(?!\s*\+)/gi, 'limit ?+0')

/** A transaction of the query builder writes: one that takes the lock late cannot wait for it. */
const beginningAtOnce = (sql: string) => (sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql)

/** Statements that may be prepared once and run again; a pragma or a schema change may not. */
const REUSABLE = /^\s*(select|insert|update|delete|with|begin|commit|rollback|savepoint|release)\b/i

/**
 * Prepares a fresh SQLite connection: statements are kept, because the query builder
 * prepares anew at every call.
 */
export function tuneSqlite(
  connection: BetterSqlite3.Database,
  done: (error: Error | null, connection: BetterSqlite3.Database) => void
): void {
  connection.pragma('journal_mode = WAL')
  connection.pragma(`synchronous = ${env.get('SQLITE_SYNCHRONOUS') ?? 'FULL'}`)
  connection.pragma('foreign_keys = ON')
  connection.pragma(`cache_size = -${CACHE_KIB}`)
  connection.pragma(`busy_timeout = ${BUSY_MS}`)

  const prepare = connection.prepare.bind(connection)
  const statements = new KeptStatements<BetterSqlite3.Statement>()
  connection.prepare = ((sql: string) => {
    const kept = statements.find(sql)
    if (kept) return kept
    const statement = prepare(beginningAtOnce(plannedOnce(sql)))
    return REUSABLE.test(sql) ? statements.keep(sql, statement) : statement
  }) as typeof connection.prepare

  done(null, connection)
}

/** The same for a connection that only reads. */
export const tuneSqliteReads: typeof tuneSqlite = (connection, done) =>
  tuneSqlite(connection, (error) => {
    connection.pragma('query_only = ON')
    done(error, connection)
  })
