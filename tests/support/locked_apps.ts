import db from '@adonisjs/lucid/services/db'
import type { TestContext } from '@japa/runner/core'

/** True on PostgreSQL. SQLite serializes all writes and has no locks of rows. */
export const hasRowLocks = Boolean(process.env.DATABASE_URL)

/**
 * Holds the lock of a long write on PostgreSQL: `update` for one of the app, `key share` for one of
 * a row that refers to it. Returns a function that ends it.
 */
export async function writeTo(
  appId: string,
  cleanup: TestContext['cleanup'],
  lock: 'update' | 'key share' = 'update'
) {
  const writing = await db.transaction()
  const end = async () => {
    if (!writing.isCompleted) await writing.rollback()
  }
  cleanup(end)
  await writing.rawQuery(`select id from apps where id = ? for ${lock}`, [appId])
  return end
}

const LATE = 'It waits'

/** Resolves to an answer, or after five seconds to a text that says it still waits. */
export const soon = <Answer>(result: Promise<Answer>): Promise<Answer | string> =>
  Promise.race([result, after(5000, LATE)])

const after = <Value>(milliseconds: number, value: Value) =>
  new Promise<Value>((resolve) => setTimeout(resolve, milliseconds, value))

/** Resolves as soon as a query waits for a lock. @throws after five seconds without one */
export async function untilWaiting(): Promise<void> {
  for (let time = 0; time < 500; time++) {
    const { rows } = await db.rawQuery(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    if (rows.length > 0) return
    await after(10, null)
  }
  throw new Error('Nobody waits for a lock')
}
