import { setTimeout as pause } from 'node:timers/promises'
import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { isPostgres } from '#foundation/core/database/connections'
import { FileLock } from '#start/file_lock'

/** An arbitrary number that no other advisory lock uses. */
const START_LOCK = 7_262_310

/** The time a process waits for the lock: long migrations take minutes. */
const TIMEOUT_MS = 10 * 60_000

/** Interval between the attempts of a waiting process, in milliseconds. */
const RETRY_MS = 200

/**
 * Runs work under a lock that all processes of a database share: servers, workers and console
 * commands. A process that has to wait prints a message.
 * @throws Error if another process holds the lock for too long, or this process is told to end
 */
export async function withStartupLock(
  app: ApplicationService,
  work: () => Promise<void>,
  { patienceMs = TIMEOUT_MS, say = console.error } = {}
): Promise<void> {
  const database = await app.container.make('lucid.db')
  const attempt = isPostgres(database) ? () => inDatabase(database, work) : () => inHome(work)
  const until = performance.now() + patienceMs
  const waits = new AbortController()
  const end = () => waits.abort()
  process.on('SIGTERM', end).on('SIGINT', end)
  try {
    for (let isSaid = false; !(await attempt()); isSaid = true) {
      const who = await holderIn(database)
      if (performance.now() >= until) {
        const minutes = Math.round(patienceMs / 60_000)
        throw new Error(`${who} has been preparing the database for ${minutes} minutes or longer.`)
      }
      if (!isSaid) say(`${who} prepares the database; waiting until it is done.`)
      await pause(RETRY_MS, undefined, waits)
    }
  } catch (error) {
    if (!waits.signal.aborted) throw error
    throw new Error('It was asked to end while another process prepares the database.')
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end)
  }
}

/** @returns true if the lock was free, and the work is done */
function inDatabase(database: Database, work: () => Promise<void>): Promise<boolean> {
  return database.transaction(async (client) => {
    await client.rawQuery('set local idle_in_transaction_session_timeout = 0')
    if (!(await isFree(client))) return false
    await work()
    return true
  })
}

async function isFree(client: TransactionClientContract): Promise<boolean> {
  const { rows } = await client.rawQuery('select pg_try_advisory_xact_lock(?) as taken', [
    START_LOCK,
  ])
  return rows[0].taken
}

async function inHome(work: () => Promise<void>): Promise<boolean> {
  const lock = FileLock.take('start.lock')
  if (!lock) return false
  try {
    await work()
    return true
  } finally {
    lock.release()
  }
}

/** Returns a description of the process that holds the lock, as far as the database knows it. */
async function holderIn(database: Database): Promise<string> {
  if (!isPostgres(database)) return 'Another process'
  const { rows } = await database.rawQuery(
    `select a.pid, coalesce(host(a.client_addr), 'this machine') as address
     from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1
       and l.classid = 0 and l.objid = ?
       and l.database = (select oid from pg_database where datname = current_database())`,
    [START_LOCK]
  )
  if (rows.length === 0) return 'Another process'
  return `Another process (from ${rows[0].address}, session ${rows[0].pid} of PostgreSQL)`
}
