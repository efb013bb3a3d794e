import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { storeFacts, type StoreFacts, type Desired } from '../derive/store_facts.js'
import { appStoreVersions, storePlans, type Wanted } from '../tables.js'
import { storesOf, type StoreTarget } from './store_targets.js'
import { successorOf } from './successors.js'

const VERSIONS = select(
  of(appStoreVersions, 'v'),
  `from app_store_versions v where v.organization_id = :org and v.release_id in json(:ids)
  order by v.created_at, v.id`
)
const PLANS = select(
  of(storePlans, 'p'),
  'from store_plans p where p.organization_id = :org and p.release_id in json(:ids)'
)

export type VersionRow = RowOf<typeof appStoreVersions>
export type PlanRow = RowOf<typeof storePlans>

/** Returns the rows of versions in stores, by internal ids of their releases. */
export async function versionsOf(scope: Scope, ids: readonly string[]): Promise<VersionRow[]> {
  return ids.length === 0 ? [] : scope.rows(VERSIONS, { ids: JSON.stringify(ids) })
}

/** Returns the plans of releases for stores. */
export async function plansOf(scope: Scope, ids: readonly string[]): Promise<PlanRow[]> {
  return ids.length === 0 ? [] : scope.rows(PLANS, { ids: JSON.stringify(ids) })
}

/** Prefetches the versions and plans of a release. */
export function prefetchStores(scope: Scope, releaseId: string): void {
  const ids = JSON.stringify([releaseId])
  scope.prefetch(VERSIONS, { ids })
  scope.prefetch(PLANS, { ids })
}

/**
 * One store of a release: its target, the version there, the plan for it, and the facts that steps
 * use.
 */
export interface StoreOfRelease {
  target: StoreTarget
  destinationId: string | null
  version: VersionRow | null
  plan: PlanRow | null
  facts: StoreFacts
}

/** Returns the plan for a store, as far as steps show it. */
export function desiredOf(plan: PlanRow | null): Desired {
  const wanted = plan?.wanted ?? null
  const failureOf = (what: Wanted['what']) =>
    wanted?.status === 'failed' && wanted.what === what ? wanted.reason : null
  return {
    hasBuild: (plan?.buildId ?? null) !== null,
    isReleasing: wanted?.what === 'released' && wanted.status === 'underWay',
    isSubmitting: wanted?.what === 'submitted' && wanted.status === 'underWay',
    failure: failureOf('submitted'),
    isAway: failureOf('submitted') !== null && wanted?.isAway === true,
    takeoffFailure: failureOf('released'),
    question: plan?.question ?? null,
    nextStage: plan?.nextStage ?? null,
  }
}

/** Returns the stores that a release goes to, in the order of the app. */
export async function storesOfRelease(
  scope: Scope,
  { id, appId }: { id: string; appId: string }
): Promise<StoreOfRelease[]> {
  const targets = await storesOf(scope, appId)
  if (targets.length === 0) return []
  const versions = await versionsOf(scope, [id])
  const plans = await plansOf(scope, [id])
  const stores = targets.map(async (target) => {
    const isOwn = (row: { integrationId: string }) => row.integrationId === target.integrationId
    const version = versions.find(isOwn) ?? null
    const plan = plans.find(isOwn) ?? null
    const { destinationId } = target
    const successor = version && (await successorOf(scope, version))
    const facts = storeFacts(version, desiredOf(plan), successor)
    return { target, destinationId, version, plan, facts }
  })
  return Promise.all(stores)
}
