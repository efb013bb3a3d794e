import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { BUSY_MS } from '#database/sqlite_tuning'

/** Any number that nothing else locks. */
const START_LOCK = 7_262_310

/** How long a migration waits for another process that writes to the same SQLite file. */
const PATIENCE_MS = 10_000

/**
 * Lets several processes that start on one PostgreSQL do a thing one after the other.
 * SQLite needs no such care: one process serves it.
 */
export async function withStartupLock(app: ApplicationService, work: () => Promise<void>) {
  const database = await app.container.make('lucid.db')
  if (database.connection().dialect.name !== 'postgres') return work()
  await withPatience(app, () =>
    database.transaction(async (client) => {
      await client.rawQuery('set local lock_timeout = 0')
      await client.rawQuery('set local idle_in_transaction_session_timeout = 0')
      await client.rawQuery('select pg_advisory_xact_lock(?)', [START_LOCK])
      await work()
    })
  )
}

/** Runs the migrations that are due. @throws the error of the one that failed. */
export async function migrate(app: ApplicationService): Promise<void> {
  await withPatience(app, async () => runDue(await runnerOf(app)))
}

/** Migrates only when something is due, so that it asks for no lock beside a running service. */
export async function migratePending(app: ApplicationService): Promise<void> {
  await withPatience(app, async () => {
    const list = await (await runnerOf(app)).getList()
    if (list.some(({ status }) => status === 'pending')) await runDue(await runnerOf(app))
  })
}

/**
 * Lets the statements of some work take long, on SQLite wait long for its lock, which stops
 * the process meanwhile: for its start, never for a request.
 */
export async function withPatience(app: ApplicationService, work: () => Promise<void>) {
  const database = await app.container.make('lucid.db')
  if (database.connection().dialect.name === 'postgres') {
    const postgres = await import('#database/postgres_tuning')
    return postgres.withPatience(work)
  }
  // There is one connection, so this one is the migrator's too.
  await database.rawQuery(`pragma busy_timeout = ${PATIENCE_MS}`)
  try {
    await work()
  } finally {
    await database.rawQuery(`pragma busy_timeout = ${BUSY_MS}`)
  }
}

async function runDue(runner: MigrationRunner): Promise<void> {
  await runner.run()
  if (runner.error) throw runner.error
}

async function runnerOf(app: ApplicationService): Promise<MigrationRunner> {
  return new MigrationRunner(await app.container.make('lucid.db'), app, { direction: 'up' })
}
