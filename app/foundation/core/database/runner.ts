import type { Bindings, Change, Select } from './statement.js'
import type { Stored } from './table.js'

/**
 * Runs written-out SELECTs on hot paths, where the query builder and the models cost more than the
 * database does.
 */
export interface SelectRunner {
  rows<Row>(statement: Select<Row>, bindings: Bindings): Promise<Row[]>
  /** Returns a runner for one requester, which may send simultaneous SELECTs as one statement. */
  forRequester?(): SelectRunner
}

/** Runs changes, each in its own transaction. */
export interface SingleChanges {
  change<Row>(statement: Change<Row>, bindings: Bindings): Promise<Row[]>
}

/** Runs statements inside a transaction, and sees what the transaction has written. */
export interface StatementRunner extends SelectRunner {
  change<Row>(statement: Change<Row>, bindings: Bindings): Promise<{ rows: Row[]; count: number }>
  /**
   * Sends a change without waiting for its result. If it fails, the whole transaction fails with
   * its error.
   */
  send(statement: Change, bindings: Bindings): Promise<void>
  /** Inserts rows one by one. Present if that costs less than one statement for many rows. */
  insertEach?(table: string, rows: readonly Record<string, Stored>[]): Promise<void>
}
