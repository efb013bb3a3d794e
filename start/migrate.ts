import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'

/** Any number that nothing else locks. */
const START_LOCK = 7_262_310

/**
 * Lets several processes that start on one PostgreSQL do a thing one after the other.
 * SQLite needs no such care: one process serves it.
 */
export async function oneAtATime(app: ApplicationService, work: () => Promise<void>) {
  const database = await app.container.make('lucid.db')
  if (database.connection().dialect.name !== 'postgres') return work()
  await database.transaction(async (client) => {
    await client.rawQuery('set local lock_timeout = 0')
    await client.rawQuery('select pg_advisory_xact_lock(?)', [START_LOCK])
    await work()
  })
}

/** Runs the migrations that are due. @throws the error of the one that failed. */
export async function migrate(app: ApplicationService): Promise<void> {
  const runner = await runnerOf(app)
  await runner.run()
  if (runner.error) throw runner.error
}

/** Migrates only when something is due, so that it asks for no lock beside a running service. */
export async function migrateWhatIsDue(app: ApplicationService): Promise<void> {
  const list = await (await runnerOf(app)).getList()
  if (list.some(({ status }) => status === 'pending')) await migrate(app)
}

async function runnerOf(app: ApplicationService): Promise<MigrationRunner> {
  return new MigrationRunner(await app.container.make('lucid.db'), app, { direction: 'up' })
}
