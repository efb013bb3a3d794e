import type { ApplicationService } from '@adonisjs/core/types'
import { MigrationRunner } from '@adonisjs/lucid/migration'

/** Runs the migrations that are due. @throws the error of the one that failed. */
export async function migrate(app: ApplicationService): Promise<void> {
  const database = await app.container.make('lucid.db')
  const runner = new MigrationRunner(database, app, { direction: 'up' })
  await runner.run()
  if (runner.error) throw runner.error
}
