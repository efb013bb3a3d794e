import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { storeKindOfApp } from '#apps/queries/app_summary'
import { ChangeRollout, type RolloutOptions } from '#stores/actions/change_rollout'
import { stopTakeoffs } from '#stores/actions/stop_progress'
import { storesOfRelease, type StoreOfRelease } from '#stores/queries/store_state'
import { leaveToPerson } from './leave_to_person.js'

/** Codes of refusals that mean that there is nothing to stop. */
export const NOTHING_TO_STOP: readonly string[] = [
  'rollout_not_running',
  'integration_missing',
  'rollout_no_predecessor',
]

/**
 * Stops every rollout of a release urgently. Takeoffs under way are ended, and nothing resumes by
 * itself.
 * @param reason why a takeoff under way is ended
 * @param spared a store that allows no more stops, which is left out
 * @returns the number of stores with a new stop; null if nothing could be stopped
 */
export async function stopRelease(
  scope: Scope,
  release: Release,
  reason: string,
  spared: StoreOfRelease | null = null
): Promise<number | null> {
  await leaveToPerson(scope, release.id)
  await stopTakeoffs(scope, release, reason)
  return spared ? stopOthers(scope, release, spared) : stopRollouts(scope, release)
}

async function stopOthers(scope: Scope, release: Release, spared: StoreOfRelease) {
  let stopped: number | null = null
  for (const { target, destinationId } of await storesOfRelease(scope, release)) {
    if (target.integrationId === spared.target.integrationId) continue
    const count = await stopRollouts(scope, release, { destinationId })
    if (count !== null) stopped = (stopped ?? 0) + count
  }
  return stopped
}

/**
 * Stops the rollouts of a release urgently, or that of one destination.
 * @returns the number of stores with a new stop; null if nothing could be stopped
 */
async function stopRollouts(
  scope: Scope,
  release: Release,
  options: Pick<RolloutOptions, 'destinationId'> = {}
): Promise<number | null> {
  try {
    return await requireStop(scope, release, options)
  } catch (error) {
    if (error instanceof Problem && NOTHING_TO_STOP.includes(error.code)) return null
    throw error
  }
}

/**
 * Stops the rollouts of a release urgently, or that of one destination.
 * @returns the number of stores with a new stop
 * @throws integration_missing, rollout_not_running, rollout_no_predecessor
 */
export async function requireStop(
  scope: Scope,
  release: Release,
  options: Pick<RolloutOptions, 'destinationId'> = {}
): Promise<number> {
  const to = await stopOf(scope, release)
  return new ChangeRollout(scope).handle(release, to, { ...options, isUrgent: true })
}

/** Returns why no store can stop a release; null if one can. Stops nothing. */
export async function whyNotStopped(scope: Scope, release: ReleaseRow): Promise<Problem | null> {
  return whyNotStoppedIn(scope, release, await storesOfRelease(scope, release))
}

/** Returns why none of some stores can stop a release; null if one can. Stops nothing. */
export async function whyNotStoppedIn(
  scope: Scope,
  release: ReleaseRow,
  stores: readonly StoreOfRelease[]
): Promise<Problem | null> {
  try {
    await new ChangeRollout(scope).requireAny(release, await stopOf(scope, release), stores)
    return null
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

async function stopOf(scope: Scope, { appId }: Pick<Release, 'appId'>) {
  const kind = await storeKindOfApp(scope, appId)
  return { action: kind === 'apple' ? 'pause' : 'halt' } as const
}
