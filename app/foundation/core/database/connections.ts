import type { Database } from '@adonisjs/lucid/database'
import type {
  IsolationLevels,
  QueryClientContract,
  TransactionClientContract,
} from '@adonisjs/lucid/types/database'
import type { StatementRunner } from './runner.js'
import type { Bindings, Select } from './statement.js'

/** The pool of knex, as far as transactions and statements use it. */
export interface Pool<Connection> {
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
}

/**
 * Work in a transaction. It uses the client (for models and the query builder) or the statements;
 * both run on the connection of the transaction.
 */
export type Work<Result, Connection = unknown> = (
  client: TransactionClientContract,
  connection: Connection,
  statements: StatementRunner
) => Promise<Result>

/** A SELECT with its bindings. */
export interface BoundSelect {
  statement: Select
  bindings: Bindings
}

/** The key by which writes share a transaction; their work must be repeatable. */
export interface Together {
  /** The lock that the write takes first. */
  lock: string
  /** The kind of write: writes of a kind take about equally long. */
  kind: string
  /**
   * Returns the first reads of the work, so that they can be sent while the previous write is
   * running.
   */
  ahead?(): readonly BoundSelect[]
}

/**
 * Time limit of transactions after the grace period of a stopping service, in milliseconds: workers
 * record what was interrupted.
 */
export const LAST_MS = 2000

export interface TransactionOptions {
  isolationLevel?: IsolationLevels
  /**
   * The work may read rows before the BEGIN is answered, which saves a round trip. Then it must not
   * use the connection directly.
   */
  overlaps?: boolean
  /** On PostgreSQL, writes of this process that wait for the same lock share a transaction. */
  together?: Together
}

export function isPostgres(database: Database): boolean {
  return database.connection().dialect.name === 'postgres'
}

/** Returns the pool behind the database. */
export function poolOf<Connection>(database: Database): Pool<Connection> {
  return database.connection().getWriteClient().client as unknown as Pool<Connection>
}

/** Name of the connection to SQLite for reads outside of transactions. */
export const SQLITE_READS = 'reads'

/** Returns a client for models and the query builder outside of transactions; for reads only. */
export function readClient(database: Database): QueryClientContract {
  return database.connection(isPostgres(database) ? undefined : SQLITE_READS)
}
