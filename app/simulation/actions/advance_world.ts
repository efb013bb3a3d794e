import type { Scope } from '#foundation/core/scope'
import { timeIn, type WorldRow } from '../queries/find_world.js'
import { simulatedWorlds } from '../tables.js'

/**
 * Lets time pass in a world, and plans new looks at all that the service observes of the
 * organization.
 * @param milliseconds zero or more
 * @returns the new time of the world, and the number of looks
 */
export async function advanceWorld(
  scope: Scope,
  row: WorldRow,
  milliseconds: number
): Promise<{ now: string; looks: number }> {
  const aheadMs = row.aheadMs + milliseconds
  await scope.update(simulatedWorlds, { id: row.id }, { aheadMs, updatedAt: scope.now })
  const looks = await scope.jobs.pollNow()
  return { now: new Date(timeIn({ aheadMs }, scope)).toISOString(), looks }
}
