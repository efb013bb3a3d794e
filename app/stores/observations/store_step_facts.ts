import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { recordRunFacts } from '#releases/lifecycle/record_run_facts'
import { markHalted, takeStoreDates } from '#releases/lifecycle/store_dates'
import type Release from '#releases/models/release'
import { forEachOpenRelease, isOpen } from '#releases/lifecycle/open_releases'
import { stepRows } from '#releases/queries/step_rows'
import { together } from '../derive/store_facts.js'
import { storeExtensions } from '../extensions.js'
import { storesOfRelease } from '../queries/store_state.js'
import { targetsOfStep } from '../queries/store_targets.js'

const STORE_STEPS = ['submission', 'storeReview', 'takeoff', 'rollout'] as const
export type StoreStepType = (typeof STORE_STEPS)[number]

export const isStoreStep = (type: ReleaseStepType): type is StoreStepType =>
  STORE_STEPS.some((each) => each === type)

/**
 * Updates the step runs and dates of a release from its stores and plans, and touches the release
 * if they changed. For a release that has ended (completed or skipped), updates only the rollout,
 * and derives nothing.
 * @param isResubmitted a store was seen to review again what it had rejected
 */
export async function storeStepFacts(
  scope: Scope,
  release: Release,
  isResubmitted = false
): Promise<void> {
  const stores = await storesOfRelease(scope, release)
  if (stores.some(({ facts }) => facts.takeoff.released)) await endReplaced(scope, release)
  await storeFactsOf(scope, release, stores, isResubmitted)
}

/** Ends the rollouts of other releases that this one replaced for users. */
async function endReplaced(scope: Scope, release: Release): Promise<void> {
  await forEachOpenRelease(scope, release.appId, async (other) => {
    if (other.id === release.id) return
    const stores = await storesOfRelease(scope, other)
    if (stores.every(({ facts }) => facts.rollout.state !== 'replaced')) return
    await storeFactsOf(scope, other, stores, false)
  })
}

async function storeFactsOf(
  scope: Scope,
  release: Release,
  stores: Awaited<ReturnType<typeof storesOfRelease>>,
  isResubmitted: boolean
): Promise<void> {
  if (stores.every(({ version, plan }) => version === null && plan === null)) return
  const isDone = !isOpen(release)
  await storeHalt(scope, release, stores)
  let changes = isDone ? false : await storeDates(scope, release, stores, isResubmitted)
  const steps = await stepRows(scope, release.id)
  for (const step of steps) {
    if (!isStoreStep(step.type)) continue
    // An ended release keeps all but its rollout, which can still be stopped.
    if (isDone && step.type !== 'rollout') continue
    const facts = together(targetsOfStep(stores, step, steps).map((store) => store.facts))
    if (!facts) continue
    changes = (await recordRunFacts(scope, step, facts[step.type])) || changes
  }
  if (!changes) return
  if (!isDone) scope.touch(release)
  else for (const extension of storeExtensions.all) await extension.moved?.(scope, release)
}

/**
 * Records whether users are no longer offered a version: it was halted in each of its stores, after
 * it went to all or the release was completed.
 */
async function storeHalt(
  scope: Scope,
  release: Release,
  stores: Awaited<ReturnType<typeof storesOfRelease>>
): Promise<void> {
  const out = stores.filter(({ facts }) => facts.takeoff.released)
  const isHalted = ({ facts: { rollout } }: (typeof stores)[number]) =>
    rollout.state === 'halted' && (rollout.percentage === 100 || release.status === 'completed')
  await markHalted(scope, release, out.length > 0 && out.every(isHalted))
}

/** Updates the dates of the release from all its stores together. @returns whether they changed */
async function storeDates(
  scope: Scope,
  release: Release,
  stores: Awaited<ReturnType<typeof storesOfRelease>>,
  isResubmitted: boolean
): Promise<boolean> {
  if (stores.every(({ version }) => version === null)) return false
  const { dates } = together(stores.map(({ facts }) => facts))!
  return takeStoreDates(scope, release, dates, isResubmitted)
}
