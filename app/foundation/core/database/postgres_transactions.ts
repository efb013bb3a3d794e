import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type TransactionOptions, type Work } from './connections.js'
import { begin, PostgresWork, rollBack, Spoilt, store, type Held } from './postgres_work.js'
import { PostgresLine, type LongKinds } from './postgres_line.js'

/**
 * Transactions on PostgreSQL. Those that say what they are together with share one with others
 * that wait for the same lock; each of the rest is on a connection of its own.
 */
export class PostgresTransactions {
  readonly #lines = new Map<string, PostgresLine>()
  readonly #longKinds: LongKinds = new Map()

  constructor(private readonly database: Database) {}

  run<Result>(work: Work<Result, ClientBase>, options: TransactionOptions): Promise<Result> {
    const { together } = options
    return together ? this.#line(together.lock).run(together, work) : this.#alone(work, options)
  }

  #line(lock: string): PostgresLine {
    let line = this.#lines.get(lock)
    if (!line) {
      const alone = (work: Work<unknown, ClientBase>) => this.#alone(work, { overlaps: true })
      const idle = () => this.#lines.delete(lock)
      line = new PostgresLine(this.database, this.#longKinds, alone, idle)
      this.#lines.set(lock, line)
    }
    return line
  }

  async #alone<Result>(
    work: Work<Result, ClientBase>,
    { isolationLevel, overlaps = false }: TransactionOptions
  ): Promise<Result> {
    const pool = poolOf<Held>(this.database)
    const connection = await pool.acquireConnection()
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
        // What was stored outside of the database goes only when the change surely did.
        end = () => part.end('rollback')
        throw await part.firstFailure(error.reason)
      }
      end = () => part.end('commit')
      return result
    } finally {
      await pool.releaseConnection(connection)
      await end()
    }
  }
}
