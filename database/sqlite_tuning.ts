import type BetterSqlite3 from 'better-sqlite3'

const CACHED_STATEMENTS = 500

/**
 * Prepares a fresh SQLite connection.
 *
 * Every transaction begins IMMEDIATE: one that reads first and writes later would
 * otherwise fail with SQLITE_BUSY_SNAPSHOT as soon as a console command writes beside
 * the service. Prepared statements are kept, because the query builder prepares anew
 * at every call.
 */
export function tuneSqlite(
  connection: BetterSqlite3.Database,
  done: (error: Error | null, connection: BetterSqlite3.Database) => void
): void {
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = NORMAL')
  connection.pragma('foreign_keys = ON')
  connection.pragma('busy_timeout = 10000')

  const prepare = connection.prepare.bind(connection)
  const statements = new Map<string, BetterSqlite3.Statement>()
  connection.prepare = ((sql: string) => {
    if (sql === 'BEGIN;') return prepare('BEGIN IMMEDIATE;')
    let statement = statements.get(sql)
    if (!statement) {
      statement = prepare(sql)
      // A pragma or a schema change is rare and may not be reusable.
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return statement
      if (statements.size >= CACHED_STATEMENTS) {
        const oldest = statements.keys().next().value
        if (oldest !== undefined) statements.delete(oldest)
      }
      statements.set(sql, statement)
    }
    return statement
  }) as typeof connection.prepare

  done(null, connection)
}
