import BetterSqlite3 from 'better-sqlite3'
import { homePath } from '#start/home'

/**
 * A lock in the home folder that one process holds at a time: the operating system's file lock,
 * taken through SQLite. The system releases it when the process ends, however it ends, so no stale
 * lock remains. It also works between containers, whose process ids cannot be compared.
 */
export class FileLock {
  private constructor(private readonly lock: BetterSqlite3.Database) {}

  /** @returns null while another process holds it */
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
