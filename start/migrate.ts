import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { BUSY_MS } from '#database/sqlite_tuning'
import { withStartupLock } from '#start/startup_lock'

/** Lucid's table of completed migrations. */
const MIGRATIONS_TABLE = 'adonis_schema'

/** Lucid's status of a completed migration that this version does not have. */
const CORRUPT = 'corrupt'

/**
 * The time a migration waits for another process that writes to the same SQLite file, in
 * milliseconds.
 */
const TIMEOUT_MS = 10_000

/**
 * Runs the pending migrations, one process at a time; every entry point uses this function. Without
 * pending ones it takes no lock, so that it does not disturb a running service.
 * @throws the error of a failed migration; an Error if another version made the database
 */
export async function migrate(app: ApplicationService): Promise<void> {
  await withPatience(app, async () => {
    if (!(await isDue(app))) return
    await withStartupLock(app, async () => {
      // The previous holder of the lock may have migrated.
      if (!(await isDue(app))) return
      const runner = await runnerOf(app)
      await runner.run()
      if (runner.error) throw runner.error
    })
  })
}

/**
 * Runs work with long timeouts: of its statements on PostgreSQL, of the lock on SQLite. A wait for
 * SQLite's lock blocks the whole process, so this is for starts, never for requests.
 */
export async function withPatience(app: ApplicationService, work: () => Promise<void>) {
  const database = await app.container.make('lucid.db')
  if (database.connection().dialect.name === 'postgres') {
    const postgres = await import('#database/postgres_tuning')
    return postgres.withPatience(work)
  }
  // SQLite has a single connection, so the setting also applies to the migrator.
  await database.rawQuery(`pragma busy_timeout = ${TIMEOUT_MS}`)
  try {
    await work()
  } finally {
    await database.rawQuery(`pragma busy_timeout = ${BUSY_MS}`)
  }
}

async function isDue(app: ApplicationService): Promise<boolean> {
  const database = await app.container.make('lucid.db')
  // `getList` would create the table, which fails if two processes do it at once.
  if (!(await database.connection().schema.hasTable(MIGRATIONS_TABLE))) return true
  const runner = await runnerOf(app)
  const migrations = await runner.getList()
  const foreign = migrations.find(({ status }) => status === CORRUPT)
  if (foreign) {
    throw new Error(
      `The database was made by another version of Tarmac, whose migration ${foreign.name} this one does not have. Start that version, or begin with an empty database.`
    )
  }
  return migrations.some(({ status }) => status === 'pending')
}

/**
 * Makes the migrator without its own locks, which it takes on one pooled connection and releases on
 * another.
 */
async function runnerOf(app: ApplicationService): Promise<MigrationRunner> {
  const database = await app.container.make('lucid.db')
  return new MigrationRunner(database, app, { direction: 'up', disableLocks: true })
}
