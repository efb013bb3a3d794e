import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@adonisjs/lucid/database'
import type BetterSqlite3 from 'better-sqlite3'
import { LAST_MS, poolOf, type TransactionOptions, type Work } from './connections.js'
import { MAX_MS, MAX_TOGETHER } from './grouping.js'
import { lendClient, type LentClient } from './lend_client.js'
import { SqliteRunner } from './sqlite_runner.js'
import { LargeCommit } from './sqlite_large_commits.js'
import { commitFailed, notStored, serviceEnds } from './unfinished.js'

/**
 * The time for which another process may hold the lock before a write is given up, in milliseconds.
 */
const TIMEOUT_MS = 10_000
const RETRY_MS = 20

/** A connection as knex keeps it; a disposed one does not go back into the pool. */
type Held = BetterSqlite3.Database & { __knex__disposed?: unknown }

interface Waiting {
  work: Work<unknown, BetterSqlite3.Database>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  since: number
  /** True for a request, which its client may repeat. */
  isRequest: boolean
}

/** A write whose work is done; it is answered once its group has committed or failed. */
interface Member extends Waiting {
  lent: LentClient
  outcome: { result: unknown } | { refusal: unknown }
}

/**
 * Transactions on SQLite. There is one writer at a time, and most of a transaction's cost is its
 * COMMIT: so waiting writes share a transaction, each after the first behind its own savepoint, and
 * are answered when it has committed. Between transactions the process serves others.
 */
export class SqliteTransactions {
  readonly #waiting: Waiting[] = []
  #isServing = false
  /** The time at which waiting ends. */
  #endsAt = Infinity

  constructor(
    private readonly database: Database,
    private readonly patienceMs = TIMEOUT_MS
  ) {}

  run<Result>(
    work: Work<Result, BetterSqlite3.Database>,
    { together }: Pick<TransactionOptions, 'together'> = {}
  ): Promise<Result> {
    const isRequest = together !== undefined
    if (this.#endsAt < Infinity && isRequest) return Promise.reject(serviceEnds())
    return new Promise<Result>((resolve, reject) => {
      const since = performance.now()
      this.#waiting.push({ work, resolve: resolve as Waiting['resolve'], reject, since, isRequest })
      if (!this.#isServing) void this.#serve()
    })
  }

  /** Refuses the waiting requests; other writes wait for `LAST_MS` more at most, in total. */
  end(): void {
    this.#endsAt = performance.now() + LAST_MS
    for (const each of this.#waiting.splice(0)) {
      if (each.isRequest) each.reject(serviceEnds())
      else this.#waiting.push(each)
    }
  }

  async #serve() {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      // Lets others be served while a group forms; SQLite itself never yields the thread.
      await turn()
      if (this.#waiting.length === 0) break
      const pool = poolOf<Held>(this.database)
      let connection: Held | undefined
      try {
        connection = await pool.acquireConnection()
        control(connection, 'BEGIN IMMEDIATE')
      } catch (error) {
        if (connection) giveUp(connection, error)
        await this.#release(connection)
        await this.#waitOn(error)
        continue
      }
      await this.#group(connection).finally(() => this.#release(connection))
    }
    this.#isServing = false
  }

  /** Serving goes on even if the pool does not take a connection back. */
  async #release(connection: Held | undefined) {
    if (connection)
      await poolOf<Held>(this.database)
        .releaseConnection(connection)
        .catch(() => {})
  }

  /**
   * Handles a transaction that could not begin. While another process holds the lock, this one
   * retries, and refuses writes that have waited too long. After any other error it also refuses
   * the first in line.
   */
  async #waitOn(error: unknown) {
    const { code } = error as { code?: string }
    if (!code?.startsWith('SQLITE_BUSY')) this.#waiting.shift()?.reject(error)
    const now = performance.now()
    const tooLong = now > this.#endsAt ? now : now - this.patienceMs
    while (this.#waiting.length > 0 && this.#waiting[0].since < tooLong) {
      this.#waiting.shift()!.reject(error)
    }
    await pause(RETRY_MS)
  }

  async #group(connection: Held) {
    const members: Member[] = []
    const commit = new LargeCommit(connection)
    try {
      if (await this.#together(connection, members)) {
        await commit.prepare()
        control(connection, 'COMMIT')
      }
    } catch (error) {
      giveUp(connection, error)
      await answerLost(members, error)
      return
    } finally {
      void commit.finish()
    }
    for (const { lent, outcome, resolve, reject } of members) {
      if ('refusal' in outcome) reject(outcome.refusal)
      else void lent.end('commit').then(() => resolve(outcome.result))
    }
  }

  /**
   * Runs the waiting writes one after the other; a refused one is rolled back.
   * @returns whether there is anything to commit
   * @throws when the transaction as a whole is lost, with the reason
   */
  async #together(connection: Held, members: Member[]): Promise<boolean> {
    const began = performance.now()
    for (let count = 0; count < MAX_TOGETHER; count++) {
      const next = this.#waiting.shift()
      if (!next) break
      try {
        members.push(await this.#one(connection, next, count === 0))
      } catch (error) {
        next.reject(notStored(error))
        throw error
      }
      if (!connection.inTransaction) return false
      if (performance.now() - began > MAX_MS) break
    }
    return true
  }

  /**
   * The first needs no savepoint, which costs a copy of each page it writes: its refusal ends the
   * transaction, and whoever waits behind it begins the next.
   */
  async #one(connection: Held, next: Waiting, isFirst: boolean): Promise<Member> {
    const lent = await lendClient(this.database, connection)
    if (!isFirst) control(connection, 'SAVEPOINT one')
    try {
      const statements = new SqliteRunner(connection, () => lent.client.isCompleted)
      const result = await next.work(lent.client, connection, statements)
      lent.close()
      if (!isFirst) control(connection, 'RELEASE one')
      return { ...next, lent, outcome: { result } }
    } catch (refusal) {
      lent.close()
      await lent.end('rollback')
      // Some failures (a full disk) end the whole transaction.
      if (!connection.inTransaction) throw refusal
      if (isFirst) control(connection, 'ROLLBACK')
      else {
        control(connection, 'ROLLBACK TO one')
        control(connection, 'RELEASE one')
      }
      return { ...next, lent, outcome: { refusal } }
    }
  }
}

/**
 * Answers the members of a group that did not commit. A refusal stands if no write came before it;
 * otherwise it may rest on a write that was not stored. A single writer gets the error of the
 * COMMIT, which may be a constraint that only COMMIT checks.
 */
async function answerLost(members: readonly Member[], error: unknown) {
  const writers = members.filter(({ outcome }) => 'result' in outcome)
  let isFirst = true
  for (const { lent, outcome, reject } of members) {
    if ('refusal' in outcome) {
      reject(isFirst ? outcome.refusal : notStored(error))
      continue
    }
    isFirst = false
    await lent.end('rollback')
    reject(writers.length === 1 ? commitFailed(error) : notStored(error))
  }
}

/** The connection keeps these statements prepared (sqlite_tuning.ts). */
function control(connection: Held, sql: string) {
  connection.prepare(sql).run()
}

/** Leaves no transaction open; a connection that cannot even do that is closed. */
function giveUp(connection: Held, error: unknown) {
  try {
    if (connection.inTransaction) control(connection, 'ROLLBACK')
  } catch {
    connection.__knex__disposed = error
  }
}
