import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '#foundation/core/clock'
import { allHolders, handBackAll } from '#foundation/core/processes/holdings'
import { ALONE, type Life, type Presence } from '#foundation/core/processes/presence'
import { FileLock } from '#start/file_lock'

/**
 * The presence of the single worker process on SQLite. It is present while it holds a file lock,
 * which needs no heartbeats in the database. A process that gets the lock knows that the holders of
 * all existing claims are gone.
 */
export class SolePresence implements Presence {
  #lock: FileLock | null = null
  #life = ALONE

  constructor(
    private readonly name: string,
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  life(): Life {
    return this.#life
  }

  async start(): Promise<void> {
    if (this.#lock) return
    this.#lock = FileLock.take('work.lock')
    // Another worker is running: claims of either process then end with their leases.
    if (!this.#lock) return
    const holders = await allHolders(this.database)
    if (holders.length > 0) await handBackAll(this.database, holders, this.clock.now())
    this.#life = { ...ALONE, id: this.name }
  }

  /** Releases the lock. The next worker hands back claims that remain. */
  async stop(): Promise<void> {
    this.#lock?.release()
    this.#lock = null
  }
}
