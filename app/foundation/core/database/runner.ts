import type { Bindings, Change, Select } from './statement.js'
import type { Stored } from './table.js'

/**
 * Runs statements that are written out, on the paths that are taken all the time: there the
 * query builder and the models cost more than the database does.
 */
export interface SelectRunner {
  rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]>
  /** The same for one who asks: what they ask for together may go out as one. */
  ofOne?(): SelectRunner
}

/** Runs changes that are a transaction each. */
export interface SingleChanges {
  change<Row>(statement: Change<Row>, bindings: Bindings): Promise<Row[]>
}

/** Runs them inside a transaction: it sees what the transaction has written. */
export interface StatementRunner extends SelectRunner {
  change<Row>(statement: Change<Row>, bindings: Bindings): Promise<{ rows: Row[]; count: number }>
  /**
   * Sends a change whose answer nobody waits for; where it fails, the whole transaction does,
   * with its failure.
   */
  send(statement: Change, bindings: Bindings): Promise<void>
  /** Inserts rows by their columns, where one by one costs less than many in a statement. */
  insertEach?(table: string, rows: readonly Record<string, Stored>[]): Promise<void>
}
