import BetterSqlite3 from 'better-sqlite3'
import { homePath } from '#start/home'

/**
 * A lock that one process of a home has at a time: the system's own lock of a file, held by way of
 * SQLite. It ends with its process however that ends, so nothing is left to be cleared away, and
 * it holds between containers, whose process numbers mean nothing to each other.
 */
export class FileLock {
  private constructor(private readonly lock: BetterSqlite3.Database) {}

  /** @returns null while another process has it */
  static take(name: string): FileLock | null {
    const lock = new BetterSqlite3(homePath(name), { timeout: 0 })
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error
      return null
    }
    return new FileLock(lock)
  }

  release(): void {
    this.lock.close()
  }
}
