import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { yieldToOthers } from '../yielding.js'
import { transact } from './transact.js'

/** Rows changed in one transaction: others get their turn in between. */
const BATCH = 500

/**
 * Changes rows a batch at a time, each in a transaction of its own, until one finds less than there
 * is room for or the work may not go on.
 * @param change changes at most the given number of rows, and answers how many it found
 * @returns how many rows were found in all
 */
export async function inBatches(
  database: Database,
  goesOn: () => boolean,
  change: (client: TransactionClientContract, most: number) => Promise<number>
): Promise<number> {
  let count = 0
  let found = BATCH
  while (found === BATCH && goesOn()) {
    found = await transact(database, (client) => change(client, BATCH))
    count += found
  }
  return count
}

/**
 * The same within one transaction: readers are served in between, and no statement is long.
 * @param change changes at most the given number of rows, and answers how many it found
 */
export async function inStatements(change: (most: number) => Promise<number>): Promise<void> {
  let found = BATCH
  while (found === BATCH) {
    found = await change(BATCH)
    await yieldToOthers()
  }
}
