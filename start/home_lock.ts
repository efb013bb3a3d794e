import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { FileLock } from '#start/file_lock'
import { homePath } from '#start/home'

/**
 * The lock that lets one service at a time use a home. The process id beside it only informs
 * people.
 */
export class HomeLock {
  private constructor(
    private readonly lock: FileLock,
    private readonly pidFile: string
  ) {}

  /** @throws Error that names the process which holds the lock */
  static take(): HomeLock {
    const pidFile = homePath('service.pid')
    const lock = FileLock.take('service.lock')
    if (!lock) {
      throw Object.assign(new Error(`another service uses ${homePath()} (${holder(pidFile)}).`), {
        help: 'SQLite is for one service. Stop the other one, or set another TARMAC_HOME.',
      })
    }
    writeFileSync(pidFile, `${process.pid}\n`)
    return new HomeLock(lock, pidFile)
  }

  release(): void {
    rmSync(this.pidFile, { force: true })
    this.lock.release()
  }
}

function holder(pidFile: string): string {
  try {
    return `process ${readFileSync(pidFile, 'utf8').trim()}`
  } catch {
    return 'its process is not known'
  }
}
