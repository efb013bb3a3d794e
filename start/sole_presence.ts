import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '#foundation/core/clock'
import { allHolders, handBackAll } from '#foundation/core/processes/holdings'
import { ALONE, type Life, type Presence } from '#foundation/core/processes/presence'
import { FileLock } from '#start/file_lock'

/**
 * The presence of the one process that works on SQLite: it is there for as long as it has a lock
 * of the system, which asks nothing of the database. Whoever gets the lock knows that all that is
 * claimed is nobody's.
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
    // Beside another, what either holds ends with its lease.
    if (!this.#lock) return
    const holders = await allHolders(this.database)
    if (holders.length > 0) await handBackAll(this.database, holders, this.clock.now())
    this.#life = { ...ALONE, id: this.name }
  }

  /** The next worker hands back what is still held. */
  async stop(): Promise<void> {
    this.#lock?.release()
    this.#lock = null
  }
}
