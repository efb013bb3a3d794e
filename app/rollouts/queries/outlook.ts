import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import { appPlan } from '#planning/plans/plans'
import type { RolloutOutlookEntity } from '../outlook_entity.js'
import { closedSpans } from '../policy/closed_spans.js'
import { windowIn } from '../policy/growth_window.js'
import { outlookOf } from '../policy/outlook.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { trafficOfStores } from './traffic.js'

/** Range for which closed spans are listed if the end is unknown, in milliseconds. */
const DEFAULT_RANGE = 14 * DAY

/**
 * Returns the forecast of a rollout under a policy from now on, based on the known traffic.
 * @param destinationId null for the first store of the app
 * @param policy null if people control rollouts, which then have no forecast
 * @param during period for which closed spans are listed; by default that of the rollout
 */
export async function policyOutlook(
  scope: Scope,
  appId: string,
  destinationId: string | null,
  policy: RolloutPolicy | null,
  during: { from?: Instant; to?: Instant } = {}
): Promise<RolloutOutlookEntity> {
  const isApple = (await storeKindOfApp(scope, appId)) === 'apple'
  if (policy === null) {
    return { policy, isApple, startsAt: null, rungs: [], closed: [], metrics: [] }
  }
  const { freezes } = await appPlan(scope, appId)
  const traffic = (await trafficOfStores(scope, appId)).get(destinationId) ?? new Map()
  const { startsAt, rungs, metrics } = outlookOf(policy, traffic, isApple, freezes, scope.now)
  const ends: Instant = rungs.at(-1)?.expectedAt ?? later(startsAt, DEFAULT_RANGE)
  const closed = closedSpans(
    windowIn(policy, isApple),
    freezes,
    during.from ?? startsAt,
    during.to ?? ends
  )
  return { policy, isApple, startsAt, rungs, closed, metrics }
}
