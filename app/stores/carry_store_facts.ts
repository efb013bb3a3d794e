import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { recordRunFacts } from '#releases/lifecycle/record_run_facts'
import { takeStoreDates } from '#releases/lifecycle/store_dates'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/open_releases'
import { stepRows } from '#releases/queries/step_rows'
import { together } from './derive/store_facts.js'
import { storesOfRelease } from './queries/store_state.js'
import { targetsOfStep } from './queries/store_targets.js'

const STORE_STEPS = ['submission', 'storeReview', 'takeoff', 'rollout'] as const
export type StoreStepType = (typeof STORE_STEPS)[number]

export const isStoreStep = (type: ReleaseStepType): type is StoreStepType =>
  STORE_STEPS.some((each) => each === type)

/**
 * Brings what stores show, and what is wanted of them, into the runs of a release's steps and into
 * its dates. What is over (a release that is completed or skipped) stays as it was. Who calls
 * derives the release anew.
 * @param isResubmitted a store was seen to have again what it had rejected
 * @returns whether facts changed
 */
export async function carryStoreFacts(
  scope: Scope,
  release: Release,
  isResubmitted = false
): Promise<boolean> {
  if (!isOpen(release)) return false
  const stores = await storesOfRelease(scope, release)
  if (stores.every(({ version, plan }) => version === null && plan === null)) return false
  let changes = await carryDates(scope, release, stores, isResubmitted)
  const steps = await stepRows(scope, release.id)
  for (const step of steps) {
    if (!isStoreStep(step.type)) continue
    const facts = together(targetsOfStep(stores, step, steps).map((store) => store.facts))
    if (!facts) continue
    changes = (await recordRunFacts(scope, step, facts[step.type])) || changes
  }
  return changes
}

/** The dates of the release, as all its stores together have them. */
async function carryDates(
  scope: Scope,
  release: Release,
  stores: Awaited<ReturnType<typeof storesOfRelease>>,
  isResubmitted: boolean
): Promise<boolean> {
  if (stores.every(({ version }) => version === null)) return false
  const { dates } = together(stores.map(({ facts }) => facts))!
  return takeStoreDates(scope, release, dates, isResubmitted)
}
