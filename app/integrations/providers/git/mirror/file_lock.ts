import { setTimeout as sleep } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { refused } from '../program/failures.js'

/** Milliseconds between two tries to get a lock that another process holds. */
const PAUSE = 50

/** By lock file: resolves when the last caller of this process has finished. */
const queues = new Map<string, Promise<void>>()

/**
 * Does something while nobody else holds the same file, in this process or another. The
 * operating system holds the lock for an open SQLite transaction, so a crash releases it.
 * @throws ProviderError `timeout` when it is not free before the signal
 */
export async function withFileLock<Result>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<Result>
): Promise<Result> {
  const before = queues.get(file) ?? Promise.resolve()
  let release = () => {}
  const turn = new Promise<void>((resolve) => (release = resolve))
  const mine = before.then(() => turn)
  queues.set(file, mine)
  try {
    await orAborted(before, signal)
    const lock = await take(file, signal)
    try {
      return await work()
    } finally {
      lock.close()
    }
  } finally {
    release()
    if (queues.get(file) === mine) queues.delete(file)
  }
}

async function take(file: string, signal: AbortSignal): Promise<BetterSqlite3.Database> {
  for (;;) {
    if (signal.aborted) throw notFree()
    const lock = new BetterSqlite3(file, { timeout: 0 })
    try {
      lock.exec('begin exclusive')
      return lock
    } catch (error) {
      lock.close()
      if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error
    }
    await sleep(PAUSE, undefined, { signal }).catch(() => {})
  }
}

function orAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(notFree())
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    void waiting.then(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}

function notFree() {
  return refused('timeout', 'The mirror of the repository has been in use for too long', 'busy')
}
