import type { Scope } from '#foundation/core/scope'
import { timeIn, type WorldRow } from '../queries/find_world.js'
import { simulatedWorlds } from '../tables.js'

/**
 * Lets time pass in a world; all that the service observes of the organization is looked at again.
 * @param milliseconds of which no less than none
 * @returns the world's time after it
 */
export async function advanceWorld(
  scope: Scope,
  row: WorldRow,
  milliseconds: number
): Promise<{ now: string; looks: number }> {
  const aheadMs = row.aheadMs + milliseconds
  await scope.update(simulatedWorlds, { id: row.id }, { aheadMs, updatedAt: scope.now })
  const looks = await scope.jobs.lookNow()
  return { now: new Date(timeIn({ aheadMs }, scope)).toISOString(), looks }
}
