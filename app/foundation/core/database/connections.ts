import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The pool of knex, as far as transactions and written-out statements use it. */
export interface Pool<Connection> {
  acquireConnection(): Promise<Connection>
  releaseConnection(connection: Connection): Promise<void>
}

/** What runs in a transaction: with a client for models and query builder, on its connection. */
export type Work<Result, Connection = unknown> = (
  client: TransactionClientContract,
  connection: Connection
) => Promise<Result>

export function isPostgres(database: Database): boolean {
  return database.connection().dialect.name === 'postgres'
}

/** The pool behind the database. */
export function poolOf<Connection>(database: Database): Pool<Connection> {
  return database.connection().getWriteClient().client as unknown as Pool<Connection>
}
