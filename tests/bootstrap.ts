import type { ApplicationService } from '@adonisjs/core/types'
import server from '@adonisjs/core/services/server'
import testUtils from '@adonisjs/core/services/test_utils'
import { assert } from '@japa/assert'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import type { Config } from '@japa/runner/types'
import fc from 'fast-check'
import { makeServer } from '#foundation/api/http/make_server'
import { migrate } from '#start/migrate'
import { checkedApiClient } from './support/api_client.js'
import { compareCachedResponses } from './support/cached_and_fresh.js'
import { mountPageOperations } from './support/page_operations.js'
import { loadTestPlugins } from './support/plugins/index.js'
import { attributing, listenToCommits } from './support/recorded_events.js'
import { handOn } from './support/whole_run.js'

/** The requirements of a process of tests before its first test. */
interface Needs {
  /** True if the database is a copy of a migrated one. */
  isMigrated: boolean
  /** True if tests call the service; rules do not. */
  isServed: boolean
}

/** Prepares a fresh database once, and a listening server for all functional tests. */
export async function bootstrap(
  app: ApplicationService,
  { isMigrated, isServed }: Needs
): Promise<Partial<Config>> {
  // Property tests try something else each time, unless a run has to be the same as another.
  const seed = process.env.TEST_SEED
  if (seed) fc.configureGlobal({ seed: Number(seed) })
  return {
    plugins: [assert(), checkedApiClient(), pluginAdonisJS(app)],
    setup: isServed ? [() => serve(app, isMigrated)] : [],
  }
}

/** Starts the service as all tests of it find it, until the returned function stops it. */
async function serve(app: ApplicationService, isMigrated: boolean) {
  if (!isMigrated) await makeAnew(app)
  await listenToCommits(app)
  await loadTestPlugins()
  await mountPageOperations(app)
  await compareCachedResponses(app)
  const close = await testUtils
    .httpServer()
    .start((listener) => makeServer(attributing(listener), ''))
  const address = server.getNodeServer()?.address()
  if (address && typeof address === 'object') process.env.PORT = String(address.port)
  return async () => {
    handOn()
    await close()
  }
}

async function makeAnew(app: ApplicationService) {
  const database = await app.container.make('lucid.db')
  if (process.env.DATABASE_URL) {
    await database.rawQuery('drop schema public cascade')
    await database.rawQuery('create schema public')
  }
  await migrate(app)
}
