import type { Database } from '@adonisjs/lucid/database'
import type { Duplex } from 'node:stream'
import { poolOf, type Pool } from './connections.js'
import type { Held } from './postgres_work.js'
import { serviceEnds } from './unfinished.js'

/** Connections of PostgreSQL that transactions hold, so that they can be given up. */
export class HeldConnections implements Pool<Held> {
  readonly #held = new Set<Held>()
  #isOver = false

  constructor(private readonly database: Database) {}

  /** @throws not_ready once they are given up */
  demandService(): void {
    if (this.#isOver) throw serviceEnds()
  }

  /** @throws not_ready once they are given up */
  async acquireConnection(): Promise<Held> {
    this.demandService()
    const connection = await poolOf<Held>(this.database).acquireConnection()
    this.#held.add(connection)
    try {
      this.demandService()
    } catch (error) {
      await this.releaseConnection(connection)
      throw error
    }
    return connection
  }

  async releaseConnection(connection: Held): Promise<void> {
    this.#held.delete(connection)
    await poolOf<Held>(this.database).releaseConnection(connection)
  }

  /**
   * Closes them in the middle of what they wait for, which the database then rolls back, and
   * takes no more. A connection asked to end by its driver would wait for its answers first.
   */
  giveUp(): void {
    this.#isOver = true
    for (const connection of this.#held) {
      connection.__knex__disposed = serviceEnds()
      const { stream } = (connection as unknown as { connection: { stream: Duplex } }).connection
      stream.destroy()
    }
  }
}
