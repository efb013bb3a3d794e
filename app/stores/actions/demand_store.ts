import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { stateOf } from '#releases/demand_allowed'
import type Release from '#releases/models/release'
import { findCurrentRun } from '#releases/queries/find_current_run'
import { stepRows } from '#releases/queries/step_rows'
import type { StoreStepType } from '../carry_store_facts.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'
import { targetsOfStep } from '../queries/store_targets.js'

/**
 * The stores that something is asked of: those of a run of a step, or all of the release.
 * @throws integration_missing; for a run not_found, step_type_mismatch, step_run_superseded
 */
export async function demandStores(
  scope: Scope,
  release: Release,
  run: { stepRunId: string; types: readonly StoreStepType[] } | null = null
): Promise<StoreOfRelease[]> {
  const found = run && (await findCurrentRun(scope, release, run.stepRunId, run.types))
  const all = await storesOfRelease(scope, release)
  const stores = found ? targetsOfStep(all, found.step, await stepRows(scope, release.id)) : all
  if (stores.length > 0) return stores
  throw refuse('integration_missing', {
    detail: `${release.appId} has no integration of an app store that could be asked.`,
  })
}

/** @throws store_busy while a store is asked for something else of the release */
export function demandIdle(release: Release, stores: readonly StoreOfRelease[]): void {
  const busy = stores.find(({ plan }) => plan?.wanted?.is === 'underWay')
  if (!busy) return
  const { what } = busy.plan!.wanted!
  throw refuse('store_busy', {
    detail: `The store is being asked for ${release.version} to be ${what}.`,
    ...stateOf(release),
  })
}
