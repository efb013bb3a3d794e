import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { followCadenceKind } from '../work_kinds.js'
import { appPlan } from '../plans/plans.js'
import { appPlans } from '../tables.js'

const FOLLOWERS = select(
  of(appPlans, 'p', ['appId']),
  `from app_plans p where p.organization_id = :org and p.follows_app_id = :appId
  order by p.app_id`
)
const OWN_CADENCE = select(
  of(appPlans, 'p', ['appId']),
  `from app_plans p where p.organization_id = :org and p.follows_app_id is null
    and p.cadence is not null
  order by p.app_id`
)

/** Returns the ids of the apps that follow the cadence of an app. */
export async function followersOf(scope: Scope, appId: string): Promise<string[]> {
  return (await scope.rows(FOLLOWERS, { appId })).map(({ appId: follower }) => follower)
}

/**
 * Returns the ids of the apps whose cadence an app can follow; none if the app has followers
 * itself.
 */
export async function followableApps(scope: Scope, appId: string | null): Promise<string[]> {
  if (appId !== null && (await followersOf(scope, appId)).length > 0) return []
  const ids = (await scope.rows(OWN_CADENCE)).map(({ appId: id }) => id)
  const leader = appId && (await appPlan(scope, appId)).followsAppId
  return ids.filter((id) => id === leader || (id !== appId && scope.sees(id)))
}

/**
 * Queues a job for each follower of an app that copies the cadence. Each job runs in its own
 * transaction, because copying a cadence locks both apps.
 */
export async function updateFollowers(scope: Scope, appId: string): Promise<void> {
  for (const follower of await followersOf(scope, appId)) {
    const payload = { appId: follower }
    await scope.jobs.plan(followCadenceKind, { subject: follower, at: scope.now, payload })
  }
}
