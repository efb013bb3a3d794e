import type { PlanRow } from '../queries/store_state.js'
import { stops } from '../reconciler/states.js'
import type { WantedRollout } from '../tables.js'

/**
 * Returns the stop of a rollout that automations must respect: if a person, the red button or an
 * urgent stop of the guard ended it, only a person may resume it, whether or not the store stopped.
 * Null without such a stop.
 */
export function standingStop(plan: Pick<PlanRow, 'rollout'> | null): WantedRollout | null {
  const decided = plan?.rollout ?? null
  if (decided === null || !stops(decided.to)) return null
  return decided.isUrgent === true || decided.by.type !== 'automation' ? decided : null
}
