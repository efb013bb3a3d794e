import type { Database } from '@adonisjs/lucid/database'
import type { IsolationLevels } from '@adonisjs/lucid/types/database'
import type { ClientBase } from 'pg'
import type { Work } from './connections.js'
import { lendClient, type LentClient } from './lend_client.js'
import { PostgresRunner } from './postgres_runner.js'
import { sendTogether } from './postgres_statements.js'
import type { SharedReads } from './shared_reads.js'
import { commitFailed, isOutcomeUnknown, notStored } from './unfinished.js'

/** A connection as knex keeps it; a disposed one does not go back into the pool. */
export type Held = ClientBase & { __knex__disposed?: unknown }

/** Work in a transaction of PostgreSQL, or in a part of one behind a savepoint. */
export class PostgresWork {
  private constructor(
    private readonly connection: Held,
    private readonly begun: Promise<unknown>,
    private readonly lent: LentClient,
    private readonly statements: PostgresRunner
  ) {}

  /**
   * @param begun the answer to its BEGIN or SAVEPOINT, which may be under way
   * @param open the answer to the BEGIN of the transaction: changes wait for it
   * @param shared reads that the members of the transaction share
   */
  static async on(
    database: Database,
    connection: Held,
    begun: Promise<unknown>,
    open: Promise<unknown> = begun,
    shared?: SharedReads
  ): Promise<PostgresWork> {
    const lent = await lendClient(database, connection, open, () => {
      statements.sendAsked()
      shared?.changesAnything()
    })
    const isOver = () => lent.client.isCompleted
    const statements = new PostgresRunner(connection, open, isOver, shared)
    return new PostgresWork(connection, begun, lent, statements)
  }

  /**
   * Runs the work. Statements that it sent and did not await may still fail (`firstFailure`).
   * @throws what the work throws
   */
  async carryOut<Result>(work: Work<Result, ClientBase>): Promise<Result> {
    let result: Result
    try {
      result = await work(this.lent.client, this.connection, this.statements)
      this.statements.sendAsked()
    } finally {
      this.lent.close()
    }
    await this.begun
    return result
  }

  /** Returns the failure of a sent statement, if there is one: it came before the error. */
  firstFailure(error: unknown): Promise<unknown> {
    return this.statements.arrived().then(
      () => error,
      (sent: unknown) => sent
    )
  }

  /** Notifies models and hooks of the end. */
  end(how: 'commit' | 'rollback'): Promise<void> {
    return this.lent.end(how)
  }
}

/** Rejects if the transaction could not begin; then the connection is disposed. */
export function begin(connection: Held, isolationLevel?: IsolationLevels): Promise<unknown> {
  sendTogether(connection)
  const sql = isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin'
  const begun = connection.query(sql).catch((error: unknown) => {
    connection.__knex__disposed = error
    throw error
  })
  begun.catch(() => {})
  return begun
}

/** A transaction that the database refused to commit, with the reason. */
export class Spoilt extends Error {
  constructor(readonly reason: unknown) {
    super('the transaction was not stored', { cause: reason })
  }
}

/** Commits. @throws Spoilt if the database refused; outcome_unknown */
export async function store(connection: Held): Promise<void> {
  let command: string
  try {
    command = (await connection.query('commit')).command
  } catch (error) {
    connection.__knex__disposed = error
    const failure = commitFailed(error)
    throw isOutcomeUnknown(failure) ? failure : new Spoilt(failure)
  }
  // A transaction that failed inside is rolled back instead.
  if (command !== 'COMMIT') {
    throw new Spoilt(notStored(new Error('COMMIT was answered with a ROLLBACK')))
  }
}

/** Rolls back. A connection that cannot is disposed, so the database rolls back by itself. */
export async function rollBack(connection: Held): Promise<void> {
  try {
    await connection.query('rollback')
  } catch (error) {
    connection.__knex__disposed = error
  }
}
