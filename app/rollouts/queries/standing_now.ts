import type { Scope } from '#foundation/core/scope'
import { isPaused } from '#planning/plans/plan_state'
import { appPlan } from '#planning/plans/plans'
import { LADDER } from '#stores/derive/seen'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { isApple, type Standing } from '../due_move.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { healthOf, type FoundHealth, type Guarded } from './health.js'

/** Returns everything that the next move of a rollout depends on. */
export async function standingNow(
  scope: Scope,
  rollout: Pick<Standing, 'release' | 'store' | 'row' | 'policy'>
): Promise<Standing & FoundHealth & { isHeld: boolean }> {
  const { release, store, row, policy } = rollout
  const health = await healthOf(scope, row, release.version, guardTerms(policy, store))
  const { freezes, pause } = await appPlan(scope, release.appId)
  const isHeld = release.automationsPaused || isPaused(pause, scope.now)
  return { ...rollout, ...health, freezes, isHeld }
}

/** Returns the terms for judging a version in a store. A phased release has Apple's ladder. */
function guardTerms({ guard, ladder }: RolloutPolicy, store: StoreOfRelease): Guarded {
  const { percentage } = store.facts.rollout
  const shares = isApple(store) ? LADDER : ladder.map((rung) => rung.percentage)
  const next = shares.find((each) => each > percentage) ?? 100
  const share = percentage / 100
  return { guard, stages: Math.max(1, shares.length), share, nextShare: next / 100 }
}
