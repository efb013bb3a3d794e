import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { LAST_MS, type TransactionOptions, type Work } from './connections.js'
import { HeldConnections } from './held_connections.js'
import { begin, PostgresWork, rollBack, Spoilt, store } from './postgres_work.js'
import { GroupCommit, type LongKinds } from './group_commit.js'
import { serviceEnds } from './unfinished.js'

/**
 * Transactions on PostgreSQL. Writes with the option `together` share a transaction with others
 * that wait for the same lock; every other one has its own connection.
 */
export class PostgresTransactions {
  readonly #lines = new Map<string, GroupCommit>()
  readonly #longKinds: LongKinds = new Map()

  readonly #shared: HeldConnections
  readonly #own: HeldConnections

  constructor(private readonly database: Database) {
    this.#shared = new HeldConnections(database)
    this.#own = new HeldConnections(database)
  }

  /** Refuses all waiting writes and closes the connections, those of other work after `LAST_MS`. */
  end(): void {
    for (const line of this.#lines.values()) line.refuse(serviceEnds())
    this.#shared.giveUp()
    setTimeout(() => this.#own.giveUp(), LAST_MS).unref()
  }

  async run<Result>(work: Work<Result, ClientBase>, options: TransactionOptions): Promise<Result> {
    const { together } = options
    if (!together) return this.#alone(work, options)
    this.#shared.requireService()
    return this.#line(together.lock).run(together, work)
  }

  #line(lock: string): GroupCommit {
    let line = this.#lines.get(lock)
    if (!line) {
      const alone = (work: Work<unknown, ClientBase>) => this.#alone(work, { overlaps: true })
      const idle = () => this.#lines.delete(lock)
      line = new GroupCommit(this.database, this.#shared, this.#longKinds, alone, idle)
      this.#lines.set(lock, line)
    }
    return line
  }

  async #alone<Result>(
    work: Work<Result, ClientBase>,
    { isolationLevel, overlaps = false }: TransactionOptions
  ): Promise<Result> {
    const connection = await this.#own.acquireConnection()
    let end: () => Promise<void> = async () => {}
    try {
      const begun = begin(connection, isolationLevel)
      if (!overlaps) await begun
      const part = await PostgresWork.on(this.database, connection, begun)
      let result: Result
      try {
        result = await part.carryOut(work)
      } catch (error) {
        await rollBack(connection)
        end = () => part.end('rollback')
        throw await part.firstFailure(error)
      }
      try {
        await store(connection)
      } catch (error) {
        if (!(error instanceof Spoilt)) throw error
        // Files are deleted only if the change is known to have failed.
        end = () => part.end('rollback')
        throw await part.firstFailure(error.reason)
      }
      end = () => part.end('commit')
      return result
    } finally {
      await this.#own.releaseConnection(connection)
      await end()
    }
  }
}
