import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { Clock } from '../clock.js'
import type { StatementRunner } from '../database/runner.js'
import { as, change, of, select } from '../database/statement.js'
import { text } from '../database/table.js'
import { transact } from '../database/transact.js'
import { allHolders, handBackAll } from './holdings.js'
import { IS_LEFT, IS_SILENT, NOW } from './silent.js'
import { serviceProcesses } from './tables.js'

/**
 * The time for which the ids of gone processes are kept, in milliseconds: a process may stand still
 * that long.
 */
const KNOWN_MS = 7 * 24 * 3_600_000

const MARK = change(
  `update service_processes as p set gone_at = coalesce(gone_at, ${NOW})
  where id in json(:lives) and (${IS_SILENT} or ${IS_LEFT})`,
  of(serviceProcesses, 'p', ['id'])
)
const CLEAR = change('update service_processes set is_cleared = true where id in json(:lives)')
const FORGET = change(`delete from service_processes where gone_at < ${NOW} - ${KNOWN_MS}`)
const LEAVE = change('delete from service_processes where id = :life and gone_at is null')
const THERE = select(
  of(serviceProcesses, 'p', ['id']),
  'from service_processes p where p.gone_at is null'
)

/**
 * Ends transactions in which a process has asked for nothing since it is not heard: their locks
 * would keep whoever goes on with its work waiting. Sessions are named as its first life.
 */
const END_SESSIONS = select(
  { ended: as(text(), 'cast(pg_terminate_backend(a.pid) as text)') },
  `from pg_stat_activity a
  where a.application_name in json(:names) and a.usename = current_user
    and a.datname = current_database() and a.state like 'idle in transaction%'
    and a.state_change < clock_timestamp() - interval '2 seconds'`
)

/** Takes over what processes held that are gone, for anybody who works. */
export class TakeOver {
  constructor(
    private readonly parts: {
      database: Database
      clock: Clock
      logger: Pick<Logger, 'warn'>
      /** Something may be due. */
      wake: () => void
    }
  ) {}

  /**
   * Takes those for gone of which still nothing is heard, and hands back what they held. What
   * is locked meanwhile is left for the next time.
   */
  async handle(silent: readonly string[]): Promise<void> {
    if (silent.length === 0) return
    const { logger } = this.parts
    const gone = await this.#inTransaction(async (statements) => {
      const { rows } = await statements.change(MARK, { lives: JSON.stringify(silent) })
      return rows.map(({ id }) => id)
    })
    if (gone.length === 0) return
    logger.warn({ processes: gone }, 'Processes are gone; others go on with what they were at')
    await this.#endSessions(gone)
    const lives = JSON.stringify(gone)
    if (!(await this.handBack(gone))) return
    await this.#inTransaction((statements) => statements.change(CLEAR, { lives }))
  }

  /**
   * Hands back what is held by nobody who is there, such as where the database was down together
   * with the process.
   */
  async sweep(): Promise<void> {
    const holders = await allHolders(this.parts.database)
    // Asked after the holders: whoever claims is in the table before.
    const there = await this.#inTransaction(async (statements) => {
      await statements.change(FORGET, {})
      return statements.rows(THERE, {})
    })
    const known = new Set(there.map(({ id }) => id))
    const nowhere = holders.filter((life) => !known.has(life))
    if (nowhere.length > 0) await this.handBack(nowhere)
  }

  /** Hands back what a process still holds that ends. */
  async leave(life: string): Promise<void> {
    await this.handBack([life])
    await this.#inTransaction((statements) => statements.change(LEAVE, { life }))
  }

  /** @returns whether nothing of it is left */
  async handBack(lives: readonly string[]): Promise<boolean> {
    const { database, clock, wake } = this.parts
    const isDone = await handBackAll(database, lives, clock.now())
    wake()
    return isDone
  }

  async #endSessions(lives: readonly string[]): Promise<void> {
    const names = JSON.stringify(lives.map((life) => life.split('.')[0]))
    try {
      await this.#inTransaction((statements) => statements.rows(END_SESSIONS, { names }))
    } catch (error) {
      // Without the right to do so the database ends them by itself, some seconds later.
      this.parts.logger.warn({ err: error }, 'Sessions of a process that is gone were not ended')
    }
  }

  #inTransaction<Result>(work: (statements: StatementRunner) => Promise<Result>) {
    return transact(this.parts.database, (_client, _connection, statements) => work(statements))
  }
}
