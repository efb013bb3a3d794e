import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { yieldToOthers } from '../yielding.js'
import { transact } from './transact.js'

/** Maximum rows that one transaction or statement changes. */
const BATCH = 500

/**
 * Changes rows in batches, each in its own transaction, until a batch is not full or `mayContinue`
 * returns false.
 * @param change changes at most the given number of rows and returns how many it found
 * @returns the total number of rows found
 */
export async function inBatches(
  database: Database,
  mayContinue: () => boolean,
  change: (client: TransactionClientContract, limit: number) => Promise<number>
): Promise<number> {
  let count = 0
  let found = BATCH
  while (found === BATCH && mayContinue()) {
    found = await transact(database, (client) => change(client, BATCH))
    count += found
  }
  return count
}

/**
 * Changes rows in batches within one transaction, so that no statement takes long and the process
 * serves other requests in between.
 * @param change changes at most the given number of rows and returns how many it found
 */
export async function inStatements(change: (limit: number) => Promise<number>): Promise<void> {
  let found = BATCH
  while (found === BATCH) {
    found = await change(BATCH)
    await yieldToOthers()
  }
}
