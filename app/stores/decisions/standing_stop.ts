import type { PlanRow } from '../queries/store_state.js'
import { stops } from '../reconciler/states.js'
import type { WantedRollout } from '../tables.js'

/**
 * The stop of a rollout that stands above automations: what a guard, the red button or a person
 * stopped is for a person to let go on, whatever the store made of it. Null without one.
 */
export function standingStop(plan: Pick<PlanRow, 'rollout'> | null): WantedRollout | null {
  const decided = plan?.rollout ?? null
  if (decided === null || !stops(decided.to)) return null
  return decided.isUrgent === true || decided.by.type !== 'automation' ? decided : null
}
