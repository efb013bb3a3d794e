import { later } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { changePlan } from './change_plan.js'
import type { PlanRow } from './queries/store_state.js'
import type { StoreTarget } from './queries/store_targets.js'
import type { WantedRollout } from './tables.js'
import { wishStore } from './wish_store.js'

/** How long a call may be on its way to the store, in milliseconds: longer than any lease. */
const ON_ITS_WAY = 10 * 60_000

/** Whether a change stops a rollout. */
export const stops = ({ to }: Pick<WantedRollout, 'to'>): boolean =>
  to.action === 'halt' || to.action === 'pause'

/**
 * Whether a rollout that goes on may do so by a call of ours: one that was on its way when it was
 * stopped, and came to the store after that.
 */
export function mayBeOvertaken({ rollout }: Pick<PlanRow, 'rollout'>, seenAt: string): boolean {
  if (!rollout?.overtook || !stops(rollout)) return false
  return seenAt < later(rollout.overtook, ON_ITS_WAY)
}

/** The store is looked at once more, and the rollout stopped where it goes on. */
export async function stopAgain(
  scope: Scope,
  release: Pick<Release, 'id'>,
  target: StoreTarget,
  rollout: WantedRollout
): Promise<void> {
  await changePlan(scope, release.id, target, {
    rollout: { ...rollout, at: scope.now, is: 'underWay', isUrgent: true },
  })
  await wishStore(scope, release, target, { what: 'rollout', isUrgent: true })
}
