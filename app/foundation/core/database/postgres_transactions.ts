import type { Database } from '@adonisjs/lucid/database'
import type { ClientBase } from 'pg'
import { poolOf, type TransactionOptions, type Work } from './connections.js'
import { begin, commit, PostgresWork, rollBack, type Held } from './postgres_work.js'
import { PostgresLine, type LongKinds } from './postgres_line.js'
import { isOutcomeUnknown, notStored } from './unfinished.js'

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
    return together
      ? this.#line(together.lock).run(together.kind, work)
      : this.#alone(work, options)
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
        await part.arrived()
        throw error
      }
      let isStored: boolean
      try {
        isStored = await commit(connection)
      } catch (failure) {
        // What was stored outside of the database goes only when the change surely did.
        if (!isOutcomeUnknown(failure)) end = () => part.end('rollback')
        throw failure
      }
      if (!isStored) {
        end = () => part.end('rollback')
        await part.arrived()
        throw notStored(new Error('COMMIT was answered with a ROLLBACK'))
      }
      end = () => part.end('commit')
      return result
    } finally {
      await pool.releaseConnection(connection)
      await end()
    }
  }
}
