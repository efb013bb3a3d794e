import type { Database } from '@adonisjs/lucid/database'
import type { Duplex } from 'node:stream'
import { poolOf, type Pool } from './connections.js'
import type { Held } from './postgres_work.js'
import { serviceEnds } from './unfinished.js'

/** The PostgreSQL connections that transactions hold, so that all can be closed at once. */
export class HeldConnections implements Pool<Held> {
  readonly #held = new Set<Held>()
  #isOver = false

  constructor(private readonly database: Database) {}

  /** @throws not_ready after `giveUp` */
  requireService(): void {
    if (this.#isOver) throw serviceEnds()
  }

  /** @throws not_ready after `giveUp` */
  async acquireConnection(): Promise<Held> {
    this.requireService()
    const connection = await poolOf<Held>(this.database).acquireConnection()
    this.#held.add(connection)
    try {
      this.requireService()
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
   * Destroys the connections whatever they wait for, so the database rolls back, and hands out no
   * more. The driver's own `end` would wait for pending answers first.
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
