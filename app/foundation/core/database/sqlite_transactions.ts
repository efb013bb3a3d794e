import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@adonisjs/lucid/database'
import type BetterSqlite3 from 'better-sqlite3'
import { poolOf, type Work } from './connections.js'
import { lendClient, type LentClient } from './lend_client.js'
import { committed } from './sqlite_commits.js'
import { commitFailed, notStored } from './unfinished.js'

/** Most writes that share one transaction, and for how long it takes in more of them. */
const MOST_TOGETHER = 32
const LONGEST_MS = 10

/** How long another process may hold the lock before a write is given up. */
const PATIENCE_MS = 10_000
const RETRY_MS = 20

/** A connection as knex keeps it; one that is marked does not go back into the pool. */
type Held = BetterSqlite3.Database & { __knex__disposed?: unknown }

interface Waiting {
  work: Work<unknown, BetterSqlite3.Database>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

interface Done extends Waiting {
  result: unknown
  lent: LentClient
}

/**
 * Transactions on SQLite. There is one writer at a time, and most of a transaction's cost is
 * its COMMIT: so writes that wait share a transaction, each behind a savepoint of its own,
 * and are answered when that is stored. Between transactions the process serves others.
 */
export class SqliteTransactions {
  readonly #waiting: Waiting[] = []
  #isServing = false

  constructor(private readonly database: Database) {}

  run<Result>(work: Work<Result, BetterSqlite3.Database>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (!this.#isServing) void this.#serve()
    })
  }

  async #serve() {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      // Groups form while others are served; SQLite itself never lets go of the thread.
      await turn()
      await this.#group()
    }
    this.#isServing = false
  }

  async #group() {
    const pool = poolOf<Held>(this.database)
    let connection: Held | undefined
    let done: Done[] = []
    try {
      connection = await pool.acquireConnection()
      await begin(connection)
    } catch (error) {
      if (connection) await pool.releaseConnection(connection)
      this.#waiting.shift()?.reject(error)
      return
    }
    try {
      done = await this.#together(connection)
      control(connection, 'COMMIT')
      committed()
    } catch (error) {
      const failure = commitFailed(error)
      giveUp(connection, error)
      for (const each of done) {
        await each.lent.end('rollback')
        each.reject(failure)
      }
      return
    } finally {
      await pool.releaseConnection(connection)
    }
    for (const { lent, resolve, result } of done) {
      void lent.end('commit').then(() => resolve(result))
    }
  }

  /** Runs who waits, one after the other; who fails is answered and leaves no trace. */
  async #together(connection: Held): Promise<Done[]> {
    const done: Done[] = []
    const began = performance.now()
    for (let count = 0; count < MOST_TOGETHER; count++) {
      const next = this.#waiting.shift()
      if (!next) break
      const lent = await lendClient(this.database, connection)
      control(connection, 'SAVEPOINT one')
      try {
        const result = await next.work(lent.client, connection)
        control(connection, 'RELEASE one')
        done.push({ ...next, result, lent })
      } catch (error) {
        // Some failures (a full disk) end the whole transaction.
        const isLost = !connection.inTransaction
        if (!isLost) undo(connection)
        await lent.end('rollback')
        next.reject(error)
        if (isLost) {
          for (const each of done) {
            await each.lent.end('rollback')
            each.reject(notStored(error))
          }
          throw error
        }
      }
      if (performance.now() - began > LONGEST_MS) break
    }
    return done
  }
}

/** The connection keeps these statements prepared (sqlite_tuning.ts). */
function control(connection: Held, sql: string) {
  connection.prepare(sql).run()
}

function undo(connection: Held) {
  control(connection, 'ROLLBACK TO one')
  control(connection, 'RELEASE one')
}

/** Takes the write lock; while another process has it, this one serves on. */
async function begin(connection: Held) {
  const began = performance.now()
  for (;;) {
    try {
      control(connection, 'BEGIN IMMEDIATE')
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code?.startsWith('SQLITE_BUSY') || performance.now() - began > PATIENCE_MS) {
        giveUp(connection, error)
        throw error
      }
      await pause(RETRY_MS)
    }
  }
}

/** Leaves no transaction open; a connection that cannot even do that is closed. */
function giveUp(connection: Held, error: unknown) {
  try {
    if (connection.inTransaction) control(connection, 'ROLLBACK')
  } catch {
    connection.__knex__disposed = error
  }
}
