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
const postgres = url ? await import('#database/postgres_tuning') : undefined
postgres?.readBigintsAsNumbers()

/** How long a request waits for a connection of the pool before it is answered 503. */
const MOST_WAIT_MS = 10_000

const migrations = { naturalSort: true, paths: ['database/migrations'] }

export default defineConfig({
  connection: 'main',
  connections: {
    main: url
      ? {
          client: 'pg',
          connection: { connectionString: url, ...postgres?.driverSettings },
          pool: {
            min: 0,
            max: 10,
            afterCreate: postgres?.tunePostgres,
            acquireTimeoutMillis: MOST_WAIT_MS,
          },
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
