import { MINUTE } from '../durations.js'
import { open } from 'node:fs/promises'
import type BetterSqlite3 from 'better-sqlite3'
import { ThreadPool } from '../thread_pool.js'

/** Duration from which a transaction counts as large: its COMMIT would take long, too. */
const LARGE_MS = 100

/** Pages in the log from which a COMMIT checkpoints it; SQLite's own default. */
const CHECKPOINT_PAGES = 1000

const threads = new ThreadPool<string, void>(
  new URL('./sqlite_checkpoint_worker.ts', import.meta.url),
  { threads: 1, waiting: 1, deadline: MINUTE, memoryMb: 64 }
)

/** Moves the work of a large COMMIT to a thread, so that it does not block the event loop. */
export class LargeCommit {
  readonly #began = performance.now()
  #isPrepared = false

  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly largeMs = LARGE_MS
  ) {}

  /** Syncs the log to the disk before COMMIT, and switches off the automatic checkpoint. */
  async prepare(): Promise<void> {
    if (performance.now() - this.#began < this.largeMs) return
    this.connection.pragma('wal_autocheckpoint = 0')
    // COMMIT syncs again and reports a failure.
    await synced(`${this.connection.name}-wal`).catch(() => undefined)
    this.#isPrepared = true
  }

  /** Checkpoints the log in a thread, after COMMIT or its failure. Nobody needs to wait for it. */
  async finish(): Promise<void> {
    if (!this.#isPrepared) return
    const enableCheckpoints = () => {
      if (this.connection.open) this.connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    }
    // If the thread fails, the next COMMIT checkpoints the log.
    await threads.run(this.connection.name).then(enableCheckpoints, enableCheckpoints)
  }
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.datasync().finally(() => file.close())
}
