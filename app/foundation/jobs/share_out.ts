import type { Nature } from '../core/jobs/kinds.js'

/**
 * Maximum number of concurrent jobs of one process. Calls mostly wait for others; timers use the
 * database. Writes that wait together share a COMMIT, so more observations at once cost fewer of
 * them.
 */
export const ROOM: Readonly<Record<Nature, number>> = {
  urgent: 4,
  timer: 3,
  command: 8,
  observation: 8,
  chore: 1,
}

/** Maximum number of these of one organization, so that others find room at once. */
export const MAX_EACH: Readonly<Record<Nature, number>> = {
  urgent: 3,
  timer: 2,
  command: 6,
  observation: 6,
  chore: 1,
}

/** A candidate job and its owner; candidates are in the order in which they became due. */
export interface Due {
  id: string
  /** The organization; empty for the service itself. */
  lane: string
}

/**
 * Chooses the jobs to start next: one at a time, from the lane with the fewest running jobs, up to
 * the maximum of each lane. Pure.
 * @param running number of running jobs by lane
 */
export function shareOut<Each extends Due>(
  due: readonly Each[],
  running: ReadonlyMap<string, number>,
  room: number,
  mostEach: number
): Each[] {
  const waiting = new Map<string, Each[]>()
  for (const each of due) waiting.set(each.lane, [...(waiting.get(each.lane) ?? []), each])
  const held = new Map(running)
  const heldBy = (lane: string) => held.get(lane) ?? 0
  const chosen: Each[] = []
  while (chosen.length < room) {
    const open = [...waiting].filter(([lane, list]) => list.length > 0 && heldBy(lane) < mostEach)
    if (open.length === 0) break
    // On a tie, the one that became due first: maps keep the order of their keys.
    const [lane, list] = open.reduce((least, each) =>
      heldBy(each[0]) < heldBy(least[0]) ? each : least
    )
    chosen.push(list.shift()!)
    held.set(lane, heldBy(lane) + 1)
  }
  return chosen
}
