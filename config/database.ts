import { defineConfig } from '@adonisjs/lucid'
import env from '#start/env'
import { homePath } from '#start/home'
import { SQLITE_READS } from '#foundation/core/database/connections'
import { tuneSqlite, tuneSqliteReads } from '#database/sqlite_tuning'

const url = env.get('DATABASE_URL') || undefined

/** SQLite under `TARMAC_HOME` by default; `DATABASE_URL=postgres://…` is the other choice. */
export const dialect: 'sqlite' | 'postgres' = url ? 'postgres' : 'sqlite'

export const sqliteFile = homePath('tarmac.sqlite')

if (url && !/^postgres(ql)?:\/\//.test(url)) {
  throw new Error('DATABASE_URL must start with postgres://. Leave it out to use SQLite.')
}

// The PostgreSQL driver is loaded only if it is used.
const postgres = url ? await import('#database/postgres_tuning') : undefined
postgres?.readBigintsAsNumbers()

/**
 * Maximum time that a request waits for a pooled connection before the answer 503, in milliseconds.
 */
const MAX_WAIT_MS = 10_000

const migrations = { naturalSort: true, paths: ['database/migrations'] }

/** Returns the settings of a connection to SQLite's file; writes and reads use separate ones. */
const sqlite = (tune: typeof tuneSqlite) => ({
  client: 'better-sqlite3' as const,
  connection: { filename: sqliteFile },
  useNullAsDefault: true,
  pool: { min: 0, max: 1, afterCreate: tune, acquireTimeoutMillis: MAX_WAIT_MS },
  schemaGeneration: { enabled: false },
})

export default defineConfig({
  connection: 'main',
  connections: url
    ? {
        main: {
          client: 'pg',
          connection: { connectionString: url, ...postgres?.driverSettings },
          pool: {
            min: 0,
            max: 10,
            afterCreate: postgres?.tunePostgres,
            acquireTimeoutMillis: MAX_WAIT_MS,
          },
          migrations,
          schemaGeneration: { enabled: false },
        },
      }
    : {
        main: { ...sqlite(tuneSqlite), migrations },
        // Separate, so that reads do not wait for a transaction that yields to other requests.
        [SQLITE_READS]: sqlite(tuneSqliteReads),
      },
})
