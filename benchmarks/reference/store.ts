import { PostgresStore } from './postgres_store.js'
import { SqliteStore } from './sqlite_store.js'
import type { Row, Wanted } from './work.js'

/** The database operations of the bare and the fair server. */
export interface Store {
  /** A release with its steps and items, as rows. */
  detail(appId: string, releaseId: string): Row | Promise<Row>
  /** Sets items of a release in one transaction, with an event for each; answers the changed ones. */
  setStatuses(key: string, appId: string, releaseId: string, wanted: Wanted[]): Answered
}

export type Answered = object[] | Promise<object[]>

/** The store that the environment names: a SQLite file or the address of a PostgreSQL database. */
export function openStore(): Promise<Store> | Store {
  const { BENCH_SQLITE_FILE, BENCH_SYNCHRONOUS, BENCH_DATABASE_URL } = process.env
  if (BENCH_SQLITE_FILE) return new SqliteStore(BENCH_SQLITE_FILE, BENCH_SYNCHRONOUS ?? 'full')
  if (BENCH_DATABASE_URL) return PostgresStore.open(BENCH_DATABASE_URL)
  throw new Error('Neither BENCH_SQLITE_FILE nor BENCH_DATABASE_URL is set')
}
