import { open } from 'node:fs/promises'
import type BetterSqlite3 from 'better-sqlite3'
import { ThreadPool } from '../thread_pool.js'

/** A transaction that took so long has written so much that its end would take long too. */
const LARGE_MS = 100

/** Pages in the log after which a COMMIT carries them over into the file; SQLite's own default. */
const CHECKPOINT_PAGES = 1000

const threads = new ThreadPool<string, void>(
  new URL('./sqlite_checkpoint_worker.ts', import.meta.url),
  { threads: 1, waiting: 1, deadline: 60_000, memoryMb: 64 }
)

/** Moves the work of a large COMMIT to a thread, so that it does not block the event loop. */
export class LargeCommit {
  readonly #began = performance.now()
  #isPrepared = false

  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly largeMs = LARGE_MS
  ) {}

  /** Before COMMIT: what is in the log already is forced to the disk, and the log stays a log. */
  async prepare(): Promise<void> {
    if (performance.now() - this.#began < this.largeMs) return
    this.connection.pragma('wal_autocheckpoint = 0')
    // COMMIT does it again: what fails here fails there.
    await synced(`${this.connection.name}-wal`).catch(() => undefined)
    this.#isPrepared = true
  }

  /** After it, whatever came of it: the log is carried over by a thread. Nobody needs to wait. */
  async finish(): Promise<void> {
    if (!this.#isPrepared) return
    const again = () => {
      if (this.connection.open) this.connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    }
    // If the thread fails, the next COMMIT does the work.
    await threads.run(this.connection.name).then(again, again)
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.datasync().finally(() => file.close())
}
