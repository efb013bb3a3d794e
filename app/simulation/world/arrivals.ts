import { stateOf, type SimulatedRun } from '#simulated-providers/ci'
import type { World } from './world.js'

/** A build that CI has sent to stores. */
interface Arrival {
  id: string
  /** Random seed: the index of its run among those of this world. */
  drawnAs: string
  number: string
  version: string
  at: number
}

/** Returns the version in the name of a branch, such as `release/4.2.0`; null if there is none. */
export function versionOf(branch: string): string | null {
  return /(\d+)(\.\d+){1,2}/.exec(branch)?.[0] ?? null
}

/** The workflow whose builds go to no store. */
const DEVELOPMENT = 'development'

/**
 * Returns the builds that CI has sent to stores by now, the oldest first: successful builds of
 * branches whose names contain a version.
 */
export function arrivalsUntil({ ci }: World, now: number): Arrival[] {
  return ci.runs.flatMap((run: SimulatedRun) => {
    const version = versionOf(run.branch)
    const isSent = run.pinned === null && run.workflowId !== DEVELOPMENT
    if (!isSent || version === null || stateOf(run, now) !== 'succeeded') return []
    const drawnAs = `ci-${run.number - ci.before}`
    const number = String(run.number)
    return [{ id: `ci-${run.id}`, drawnAs, number, version, at: run.endsAt }]
  })
}

/**
 * Returns the versions that CI has built by now, with the times of their first builds, the
 * oldest first.
 */
export function versionsUntil(world: World, now: number): { version: string; at: number }[] {
  const first = new Map<string, number>()
  for (const { version, at } of arrivalsUntil(world, now)) {
    first.set(version, Math.min(at, first.get(version) ?? at))
  }
  return [...first].map(([version, at]) => ({ version, at }))
}
