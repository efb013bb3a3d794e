import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { BUSY_MS } from '#database/sqlite_tuning'
import { withStartupLock } from '#start/startup_lock'

/** Lucid's table of migrations that were run. */
const NOTED_IN = 'adonis_schema'

/** Lucid's status of a migration that was run and that this version lacks. */
const OF_ANOTHER_VERSION = 'corrupt'

/**
 * The time a migration waits for another process that writes to the same SQLite file, in
 * milliseconds.
 */
const PATIENCE_MS = 10_000

/**
 * Runs the migrations that are due, one process at a time: every entry does it by this function.
 * Where none is due it asks for no lock beside a running service.
 * @throws the error of the one that failed, and where another version has made the database
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

async function isDue(app: ApplicationService): Promise<boolean> {
  const database = await app.container.make('lucid.db')
  // Asking for the list would make the table, which two processes cannot do at once.
  if (!(await database.connection().schema.hasTable(NOTED_IN))) return true
  const runner = await runnerOf(app)
  const migrations = await runner.getList()
  const foreign = migrations.find(({ status }) => status === OF_ANOTHER_VERSION)
  if (foreign) {
    throw new Error(
      `The database was made by another version of Tarmac, whose migration ${foreign.name} this one does not have. Start that version, or begin with an empty database.`
    )
  }
  return migrations.some(({ status }) => status === 'pending')
}

/** Its own locks belong to a connection of the pool, and are given back on another. */
async function runnerOf(app: ApplicationService): Promise<MigrationRunner> {
  const database = await app.container.make('lucid.db')
  return new MigrationRunner(database, app, { direction: 'up', disableLocks: true })
}
