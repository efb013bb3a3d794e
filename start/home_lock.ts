import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { homePath } from '#start/home'

/**
 * The lock of a home that one service at a time may use: the system's own lock of a file, held
 * by way of SQLite. It ends with its process however that ends, so nothing is left to be
 * cleared away, and it holds between containers, whose process numbers mean nothing to each
 * other. The number beside it is for people.
 */
export class HomeLock {
  private constructor(
    private readonly lock: BetterSqlite3.Database,
    private readonly pidFile: string
  ) {}

  /** @throws Error naming who holds it */
  static take(): HomeLock {
    const pidFile = homePath('service.pid')
    const lock = new BetterSqlite3(homePath('service.lock'), { timeout: 0 })
    try {
      lock.exec('begin exclusive')
    } catch (error) {
      lock.close()
      if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error
      throw Object.assign(new Error(`another service uses ${homePath()} (${holder(pidFile)}).`), {
        help: 'SQLite is for one service. Stop the other one, or set another TARMAC_HOME.',
      })
    }
    writeFileSync(pidFile, `${process.pid}\n`)
    return new HomeLock(lock, pidFile)
  }

  release(): void {
    rmSync(this.pidFile, { force: true })
    this.lock.close()
  }
}

function holder(pidFile: string): string {
  try {
    return `process ${readFileSync(pidFile, 'utf8').trim()}`
  } catch {
    return 'its process is not known'
  }
}
