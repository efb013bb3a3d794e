import { QueryClient, type Database } from '@adonisjs/lucid/database'
import type { ConnectionContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A client for models and query builder that works on a connection somebody else holds. */
export interface LentClient {
  client: TransactionClientContract
  /** The transaction is over: its hooks run, and nothing more goes through the client. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/**
 * Lends a connection, inside of a transaction that the lender began and ends, to Lucid. Its
 * own COMMIT and ROLLBACK reach no database: they only tell models and hooks.
 */
export async function lendClient(database: Database, connection: unknown): Promise<LentClient> {
  const outer = database.connection()
  const knex = outer.getWriteClient()
  const held = Object.assign(Object.create(knex.client), {
    transacting: true,
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
  })
  let isOver = false
  const end = async () => {
    isOver = true
  }
  const bound = {
    client: held,
    queryBuilder: () => held.queryBuilder(),
    raw: (...values: unknown[]) => held.raw(...values),
    isCompleted: () => isOver,
    commit: end,
    rollback: end,
  }
  const lender = Object.create(database.manager.get(outer.connectionName)!.connection!, {
    client: { value: { transaction: async () => bound } },
  }) as ConnectionContract
  const client = await new QueryClient('dual', lender, outer.emitter).transaction()
  return { client, end: (how) => client[how]() }
}
