// Loaded without the service's TypeScript loader.
import BetterSqlite3 from 'better-sqlite3'

/**
 * Checkpoints the write-ahead log of a database file, in the thread of `sqlite_large_commits.ts`.
 */
export default function checkpoint({ input: file }: { input: string }): void {
  const connection = new BetterSqlite3(file)
  try {
    // A passive checkpoint blocks no reader or writer.
    connection.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    connection.close()
  }
}
