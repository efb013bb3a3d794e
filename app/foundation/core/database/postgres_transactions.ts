import type { Database } from '@adonisjs/lucid/database'
import type { IsolationLevels } from '@adonisjs/lucid/types/database'
import type { ClientBase } from 'pg'
import { poolOf, type TransactionOptions, type Work } from './connections.js'
import { lendClient } from './lend_client.js'
import { PostgresRunner, sendTogether } from './postgres_runner.js'
import { commitFailed, isOutcomeUnknown, notStored } from './unfinished.js'

/** A connection as knex keeps it; one that is marked does not go back into the pool. */
type Held = ClientBase & { __knex__disposed?: unknown }

/** Transactions on PostgreSQL, each on a connection of its own. */
export class PostgresTransactions {
  constructor(private readonly database: Database) {}

  async run<Result>(
    work: Work<Result, ClientBase>,
    { isolationLevel, overlaps = false }: TransactionOptions
  ): Promise<Result> {
    const pool = poolOf<Held>(this.database)
    const connection = await pool.acquireConnection()
    let end: () => Promise<void> = async () => {}
    try {
      const begun = begin(connection, isolationLevel)
      begun.catch(() => {})
      if (!overlaps) await begun
      const lent = await lendClient(this.database, connection, begun, () => statements.sendAsked())
      const statements = new PostgresRunner(connection, begun, () => lent.client.isCompleted)
      let result: Result
      try {
        result = await work(lent.client, connection, statements)
        statements.sendAsked()
        lent.close()
        await begun
      } catch (error) {
        lent.close()
        await rollBack(connection)
        end = () => lent.end('rollback')
        await statements.arrived()
        throw error
      }
      let isStored: boolean
      try {
        isStored = await commit(connection)
      } catch (failure) {
        // What was stored outside of the database goes only when the change surely did.
        if (!isOutcomeUnknown(failure)) end = () => lent.end('rollback')
        throw failure
      }
      if (!isStored) {
        end = () => lent.end('rollback')
        await statements.arrived()
        throw notStored(new Error('COMMIT was answered with a ROLLBACK'))
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
    sendTogether(connection)
    await connection.query(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin')
  } catch (error) {
    connection.__knex__disposed = error
    throw error
  }
}

/** @returns whether it was committed: a transaction that failed inside is rolled back instead. */
async function commit(connection: Held): Promise<boolean> {
  try {
    const { command } = await connection.query('commit')
    return command === 'COMMIT'
  } catch (error) {
    connection.__knex__disposed = error
    throw commitFailed(error)
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
