import { helpOn } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isEnded } from '#releases/lifecycle/open_releases'
import { findCurrentRun } from '#releases/queries/find_current_run'
import { stepRows } from '#releases/queries/step_rows'
import type { StoreStepType } from '../observations/store_step_facts.js'
import { busyOf, standingIn } from '../decisions/possible.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'
import { targetsOfStep } from '../queries/store_targets.js'
import { standingStop } from '../decisions/standing_stop.js'

/**
 * Returns the stores of a run of a step, or all stores of the release. Fails if there are none.
 * @throws integration_missing; for a run not_found, step_type_mismatch, step_run_superseded
 */
export async function requireStores(
  scope: Scope,
  release: Release,
  run: { stepRunId: string; types: readonly StoreStepType[] } | null = null
): Promise<StoreOfRelease[]> {
  const found = run && (await findCurrentRun(scope, release, run.stepRunId, run.types))
  const all = await storesOfRelease(scope, release)
  const stores = found ? targetsOfStep(all, found.step, await stepRows(scope, release.id)) : all
  if (stores.length > 0) return stores
  throw refuse('integration_missing', {
    detail: `${release.appId} has no usable app store integration.`,
  })
}

/** @throws store_busy while a decision about the release is being carried out in a store */
export async function requireIdle(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<void> {
  const busy = busyOf(stores)
  if (!busy) return
  const { what } = busy.plan!.wanted!
  const stop = what === 'released' ? ' Stopping its rollout ends the request.' : ''
  throw refuse('store_busy', {
    detail: `A request for ${release.version} to be ${what} is under way at the store.`,
    remedy: `${helpOn('store_busy')}${stop}`,
    ...(await standingIn(scope, release, stores)),
  })
}

/**
 * Lets only a person release a version that was stopped before it went out.
 * @throws rollout_stopped for an automation
 */
export async function requireNotStopped(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<void> {
  if (scope.actor.type !== 'automation') return
  for (const { plan } of stores) {
    const stop = standingStop(plan)
    if (stop === null) continue
    throw refuse('rollout_stopped', {
      detail: `The rollout of ${release.version} was stopped by ${stop.by.name} before it went out: only a person can submit or release it.`,
      ...(await standingIn(scope, release, stores)),
    })
  }
}

/**
 * Demands that a release that goes to a store has not ended.
 * @throws release_completed, release_skipped
 */
export async function requireNotOver(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<void> {
  if (!isEnded(release)) return
  const code = `release_${release.status}` as const
  throw refuse(code, {
    detail: `The release ${release.version} is ${release.status}.`,
    remedy: helpOn(code),
    ...(await standingIn(scope, release, stores)),
  })
}
