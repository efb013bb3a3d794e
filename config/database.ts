import { defineConfig } from '@adonisjs/lucid'
import env from '#start/env'
import { homePath } from '#start/home'
import { tuneSqlite } from '#database/sqlite_tuning'

const url = env.get('DATABASE_URL') || undefined

/** SQLite under `TARMAC_HOME` by default; `DATABASE_URL=postgres://…` is the other choice. */
export const dialect: 'sqlite' | 'postgres' = url ? 'postgres' : 'sqlite'

export const sqliteFile = homePath('tarmac.sqlite')

if (url && !/^postgres(ql)?:\/\//.test(url)) {
  throw new Error('DATABASE_URL must start with postgres://. Leave it out to use SQLite.')
}

// The driver of PostgreSQL is loaded by those who use it.
if (url) (await import('#database/postgres_types')).readBigintsAsNumbers()

const MOST_WAIT_MS = 10_000

/**
 * Settings that the driver knows and Lucid's types do not. What waits longer for a lock is
 * answered 503. Statements are sent without waiting for the answers of those before them.
 */
const driver = { lock_timeout: MOST_WAIT_MS, pipeline: true }

const migrations = { naturalSort: true, paths: ['database/migrations'] }

export default defineConfig({
  connection: 'main',
  connections: {
    main: url
      ? {
          client: 'pg',
          // `?lock_timeout=` of the address has the last word.
          connection: { connectionString: url, ...driver },
          pool: { min: 0, max: 10, acquireTimeoutMillis: MOST_WAIT_MS },
          migrations,
          schemaGeneration: { enabled: false },
        }
      : {
          client: 'better-sqlite3',
          connection: { filename: sqliteFile },
          useNullAsDefault: true,
          pool: { afterCreate: tuneSqlite, acquireTimeoutMillis: MOST_WAIT_MS },
          migrations,
          schemaGeneration: { enabled: false },
        },
  },
})
