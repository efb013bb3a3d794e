import { WEEK } from '../durations.js'
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
 * The time for which the ids of gone processes are kept, in milliseconds: a frozen process may wake
 * up that late.
 */
const KNOWN_MS = WEEK

const MARK = change(
  `update service_processes as p set gone_at = coalesce(gone_at, ${NOW})
  where id in json(:lives) and (${IS_SILENT} or ${IS_LEFT})`,
  of(serviceProcesses, 'p', ['id'])
)
const CLEAR = change('update service_processes set is_cleared = true where id in json(:lives)')
const FORGET = change(`delete from service_processes where gone_at < ${NOW} - ${KNOWN_MS}`)
const LEAVE = change('delete from service_processes where id = :life and gone_at is null')
const PRESENT = select(
  of(serviceProcesses, 'p', ['id']),
  'from service_processes p where p.gone_at is null'
)

/**
 * Ends idle transactions of silent processes: their locks would block the processes that take over
 * the work. A session has the name of the process's first life.
 */
const END_SESSIONS = select(
  { ended: as(text(), 'cast(pg_terminate_backend(a.pid) as text)') },
  `from pg_stat_activity a
  where a.application_name in json(:names) and a.usename = current_user
    and a.datname = current_database() and a.state like 'idle in transaction%'
    and a.state_change < clock_timestamp() - interval '2 seconds'`
)

/** Hands back the claims of processes that are gone, so that any worker can continue them. */
export class TakeOver {
  constructor(
    private readonly parts: {
      database: Database
      clock: Clock
      logger: Pick<Logger, 'warn'>
      /** Wakes the workers, because something may be due. */
      wake: () => void
    }
  ) {}

  /**
   * Declares processes gone that are still silent, and hands back their claims. Locked rows are
   * left for the next time.
   */
  async handle(silent: readonly string[]): Promise<void> {
    if (silent.length === 0) return
    const { logger } = this.parts
    const gone = await this.#inTransaction(async (statements) => {
      const { rows } = await statements.change(MARK, { lives: JSON.stringify(silent) })
      return rows.map(({ id }) => id)
    })
    if (gone.length === 0) return
    logger.warn({ processes: gone }, 'Processes are gone; others continue their work')
    await this.#endSessions(gone)
    const lives = JSON.stringify(gone)
    if (!(await this.handBack(gone))) return
    await this.#inTransaction((statements) => statements.change(CLEAR, { lives }))
  }

  /**
   * Hands back claims of unknown processes, such as one that went down together with the database.
   */
  async sweep(): Promise<void> {
    const holders = await allHolders(this.parts.database)
    // Read after the holders: a process is in the table before it claims anything.
    const present = await this.#inTransaction(async (statements) => {
      await statements.change(FORGET, {})
      return statements.rows(PRESENT, {})
    })
    const known = new Set(present.map(({ id }) => id))
    const missing = holders.filter((life) => !known.has(life))
    if (missing.length > 0) await this.handBack(missing)
  }

  /** Hands back what an ending process still holds. */
  async leave(life: string): Promise<void> {
    await this.handBack([life])
    await this.#inTransaction((statements) => statements.change(LEAVE, { life }))
  }

  /** Hands back the claims of some lives. @returns whether nothing is left */
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
      // Without the right to end them, the database does so by itself some seconds later.
      this.parts.logger.warn({ err: error }, 'Sessions of a process that is gone were not ended')
    }
  }

  #inTransaction<Result>(work: (statements: StatementRunner) => Promise<Result>) {
    return transact(this.parts.database, (_client, _connection, statements) => work(statements))
  }
}
