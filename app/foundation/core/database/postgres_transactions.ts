import type { Database } from '@adonisjs/lucid/database'
import type { IsolationLevels } from '@adonisjs/lucid/types/database'
import type { ClientBase } from 'pg'
import { poolOf, type Work } from './connections.js'
import { lendClient } from './lend_client.js'
import { commitFailed, isOutcomeUnknown, notStored } from './unfinished.js'

/** A connection as knex keeps it; one that is marked does not go back into the pool. */
type Held = ClientBase & { __knex__disposed?: unknown }

/** Transactions on PostgreSQL, each on a connection of its own. */
export class PostgresTransactions {
  constructor(private readonly database: Database) {}

  async run<Result>(
    work: Work<Result, ClientBase>,
    { isolationLevel }: { isolationLevel?: IsolationLevels }
  ): Promise<Result> {
    const pool = poolOf<Held>(this.database)
    const connection = await pool.acquireConnection()
    let end: () => Promise<void> = async () => {}
    try {
      const lent = await lendClient(this.database, connection)
      await begin(connection, isolationLevel)
      let result: Result
      try {
        result = await work(lent.client, connection)
        lent.close()
      } catch (error) {
        lent.close()
        await rollBack(connection)
        end = () => lent.end('rollback')
        throw error
      }
      try {
        await commit(connection)
      } catch (error) {
        const failure = commitFailed(error)
        // What was stored outside of the database goes only when the change surely did.
        if (!isOutcomeUnknown(failure)) end = () => lent.end('rollback')
        throw failure
      }
      end = () => lent.end('commit')
      return result
    } finally {
      await pool.releaseConnection(connection)
      await end()
    }
  }
}

async function begin(connection: Held, isolationLevel: IsolationLevels | undefined) {
  try {
    await connection.query(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin')
  } catch (error) {
    connection.__knex__disposed = error
    throw error
  }
}

async function commit(connection: Held) {
  try {
    const { command } = await connection.query('commit')
    // A transaction that failed inside answers its COMMIT with a ROLLBACK.
    if (command !== 'COMMIT') throw notStored(new Error(`COMMIT was answered ${command}`))
  } catch (error) {
    connection.__knex__disposed = error
    throw error
  }
}

/** A connection that cannot roll back is given up, which rolls back as well. */
async function rollBack(connection: Held) {
  try {
    await connection.query('rollback')
  } catch (error) {
    connection.__knex__disposed = error
  }
}
