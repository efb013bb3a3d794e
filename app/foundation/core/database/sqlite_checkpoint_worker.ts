// Loaded without the service's TypeScript loader.
import BetterSqlite3 from 'better-sqlite3'

/**
 * The entry point of the thread of `sqlite_large_commits.ts`: checkpoints the write-ahead log of a
 * file.
 */
export default function checkpoint({ input: file }: { input: string }): void {
  const connection = new BetterSqlite3(file)
  try {
    // It keeps nobody from reading or writing.
    connection.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    connection.close()
  }
}
