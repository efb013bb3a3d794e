import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { plansOf, type PlanRow } from '../queries/store_state.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { storePlans } from '../tables.js'

export type PlanChange = Partial<
  Pick<
    PlanRow,
    | 'buildId'
    | 'byHand'
    | 'wanted'
    | 'rollout'
    | 'submittedAs'
    | 'nextStage'
    | 'question'
    | 'settings'
  >
>

const EMPTY = {
  buildId: null,
  byHand: false,
  wanted: null,
  rollout: null,
  submittedAs: null,
  nextStage: null,
  question: null,
  settings: null,
}

/** Returns the plan of a release for a store; null without one. */
export async function planOf(
  scope: Scope,
  releaseId: string,
  integrationId: string
): Promise<PlanRow | null> {
  const plans = await plansOf(scope, [releaseId])
  return plans.find((plan) => plan.integrationId === integrationId) ?? null
}

/** Changes the plan of a release for a store, and creates it if needed. */
export async function changePlan(
  scope: Scope,
  releaseId: string,
  { appId, integrationId }: Pick<StoreTarget, 'appId' | 'integrationId'>,
  change: PlanChange
): Promise<void> {
  const plan = await planOf(scope, releaseId, integrationId)
  if (plan) {
    await scope.update(storePlans, { id: plan.id }, { ...change, updatedAt: scope.now })
    return
  }
  const own = { id: newId('splan'), appId, releaseId, integrationId, updatedAt: scope.now }
  await scope.insert(storePlans, [{ ...EMPTY, ...change, ...own }])
}
