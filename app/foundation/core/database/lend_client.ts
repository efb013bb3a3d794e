import logger from '@adonisjs/core/services/logger'
import { QueryClient, type Database } from '@adonisjs/lucid/database'
import type { ConnectionContract, TransactionClientContract } from '@adonisjs/lucid/types/database'

/** A client for models and the query builder on a connection that somebody else holds. */
export interface LentClient {
  client: TransactionClientContract
  /** Ends the work: the client refuses further statements. */
  close(): void
  /** Runs the hooks for the end of the transaction. A hook that fails is logged. */
  end(how: 'commit' | 'rollback'): Promise<void>
}

/**
 * Lends a connection to Lucid, inside of a transaction that the lender begins and ends. Lucid's
 * COMMIT and ROLLBACK reach no database: they only run the hooks of models.
 * @param begun awaited before each statement of the client
 * @param before called before each statement of the client
 */
export async function lendClient(
  database: Database,
  connection: unknown,
  begun?: Promise<unknown>,
  before?: () => void
): Promise<LentClient> {
  let isOver = false
  const outer = database.connection()
  const knex = outer.getWriteClient()
  const held = Object.assign(Object.create(knex.client), {
    transacting: true,
    acquireConnection: async () => {
      await begun
      requireOpen(!isOver)
      before?.()
      return connection
    },
    releaseConnection: async () => {},
  })
  const close = () => {
    isOver = true
  }
  const end = async () => close()
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
  const reported = (error: unknown) =>
    logger.error({ err: error }, 'a hook of a transaction failed')
  return { client, close, end: (how) => client[how]().catch(reported) }
}

/**
 * Prevents a statement after the end of its transaction: it would run in another one.
 * @throws Error for a statement that was not awaited
 */
export function requireOpen(isOpen: boolean): void {
  if (!isOpen) throw new Error('A statement came after the end of its transaction')
}
