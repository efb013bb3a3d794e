import type { Database } from '@adonisjs/lucid/database'
import type { Instant } from '../clock.js'
import { ExtensionPoint } from '../extension_point.js'

/** Something that processes claim: what one that is gone held is handed back for anybody. */
export interface Holding {
  /** The lives that hold something. */
  holders(database: Database): Promise<string[]>
  /**
   * Hands back what some lives hold, whose claims can end nothing any more.
   * @returns whether nothing is left; a row that is locked is
   */
  handBack(database: Database, lives: readonly string[], now: Instant): Promise<boolean>
}

/** All that is claimed, by the modules that have it. */
export const holdings = new ExtensionPoint<Holding>()

/** @returns whether nothing is left of what some lives held */
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

/** The lives that hold anything. */
export async function allHolders(database: Database): Promise<string[]> {
  const found = new Set<string>()
  for (const holding of holdings.all) {
    for (const life of await holding.holders(database)) found.add(life)
  }
  return [...found]
}
