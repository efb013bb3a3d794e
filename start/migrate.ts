import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'

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
