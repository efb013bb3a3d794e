import type { Database } from '@adonisjs/lucid/database'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { yieldToOthers } from '../yielding.js'
import { transact } from './transact.js'

/** Rows changed by one transaction or statement; others are served in between. */
const BATCH = 500

/**
 * Changes rows in batches, each in its own transaction, until a batch is not full or the work may
 * not go on.
 * @param change changes at most the given number of rows and returns how many it found
 * @returns how many rows were found in all
 */
export async function inBatches(
  database: Database,
  mayContinue: () => boolean,
  change: (client: TransactionClientContract, most: number) => Promise<number>
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
 * Changes rows in batches within one transaction: no statement takes long, and the process serves
 * readers in between.
 * @param change changes at most the given number of rows and returns how many it found
 */
export async function inStatements(change: (most: number) => Promise<number>): Promise<void> {
  let found = BATCH
  while (found === BATCH) {
    found = await change(BATCH)
    await yieldToOthers()
  }
}
