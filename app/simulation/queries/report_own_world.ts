import type { Scope } from '#foundation/core/scope'
import { linesOfWorld, reportWorld } from '../world/report_world.js'
import { findWorld, timeIn } from './find_world.js'
import { waitingUntil, type WaitingWork } from './waiting_work.js'

/** Describes the world of the organization, and what waits for the service's clock. */
export async function reportOwnWorld(scope: Scope) {
  const row = await findWorld(scope)
  const now = timeIn(row, scope)
  const waiting = await waitingUntil(scope, new Date(now).toISOString())
  return { ...reportWorld(row.state, now), waiting }
}

/** Returns the description as lines. */
export const linesOfOwn = (reported: Awaited<ReturnType<typeof reportOwnWorld>>): string[] => [
  ...linesOfWorld(reported),
  ...linesOfWaiting(reported.waiting),
]

/** Returns the planned work of the service as lines; empty if nothing waits. */
export function linesOfWaiting(waiting: readonly WaitingWork[]): string[] {
  if (waiting.length === 0) return []
  return [
    'Planned by the service until then, and waiting for its own time:',
    ...waiting.map(({ kind, count, at }) => `  ${kind}: ${count}, the first at ${at}`),
  ]
}
