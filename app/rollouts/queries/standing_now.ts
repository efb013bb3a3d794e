import type { Scope } from '#foundation/core/scope'
import { isPaused } from '#planning/plans/plan_state'
import { appPlan } from '#planning/plans/plans'
import { LADDER } from '#stores/derive/seen'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { isApple, type Standing } from '../due_move.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { healthOf, type FoundHealth, type Guarded } from './health.js'

/** Returns all that the next move of a rollout depends on, and whether automations are paused. */
export async function standingNow(
  scope: Scope,
  driven: Pick<Standing, 'release' | 'store' | 'row' | 'policy'>
): Promise<Standing & FoundHealth & { isHeld: boolean }> {
  const { release, store, row, policy } = driven
  const judged = await healthOf(scope, row, release.version, guardedBy(policy, store))
  const { freezes, pause } = await appPlan(scope, release.appId)
  const isHeld = release.automationsPaused || isPaused(pause, scope.now)
  return { ...driven, ...judged, freezes, isHeld }
}

/**
 * Returns the terms by which a version in a store is judged. A phased release has Apple's ladder.
 */
function guardedBy({ guard, ladder }: RolloutPolicy, store: StoreOfRelease): Guarded {
  const { percentage } = store.facts.rollout
  const shares = isApple(store) ? LADDER : ladder.map((rung) => rung.percentage)
  const next = shares.find((each) => each > percentage) ?? 100
  const share = percentage / 100
  return { guard, stages: Math.max(1, shares.length), share, nextShare: next / 100 }
}
