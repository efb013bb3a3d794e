import type { Database } from '@adonisjs/lucid/database'
import type { Instant } from '../clock.js'
import { ExtensionPoint } from '../extension_point.js'

/** A kind of claim. Claims of a process that is gone are handed back to the others. */
export interface Holding {
  /** Returns the lives (see `Life`) that hold something. */
  holders(database: Database): Promise<string[]>
  /**
   * Hands back what some lives hold. After that their claims can end nothing any more.
   * @returns whether nothing is left; locked rows are skipped
   */
  handBack(database: Database, lives: readonly string[], now: Instant): Promise<boolean>
}

/** The kinds of claims, registered by the modules that have them. */
export const holdings = new ExtensionPoint<Holding>()

/** Hands back everything that some lives hold. @returns whether nothing is left */
export async function handBackAll(
  database: Database,
  lives: readonly string[],
  now: Instant
): Promise<boolean> {
  let isDone = true
  for (const holding of holdings.all) {
    isDone = (await holding.handBack(database, lives, now)) && isDone
  }
  return isDone
}

/** Returns the lives that hold anything. */
export async function allHolders(database: Database): Promise<string[]> {
  const found = new Set<string>()
  for (const holding of holdings.all) {
    for (const life of await holding.holders(database)) found.add(life)
  }
  return [...found]
}
