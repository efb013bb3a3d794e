import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { freezesAt } from '../calendar/freezes.js'
import { onSince } from './follow_ups.js'
import { isHeld, isOn, planStateOf, targetOf } from '../plans/plan_state.js'
import { AUTOMATIONS, isFollowUp, PHASE_OF } from '../vocabulary.js'

/**
 * Returns why an automation may no longer do what it requested earlier; null if it may. A person's
 * request is not affected.
 */
export async function whyHeld(
  scope: Scope,
  release: ReleaseRow,
  askedBy: Actor
): Promise<string | null> {
  const type = AUTOMATIONS.find((each) => askedBy.type === 'automation' && each === askedBy.name)
  if (!type) return null
  const state = await planStateOf(scope, release)
  const isStillOn = isFollowUp(type)
    ? onSince(release, type, state) !== null
    : isOn(release, PHASE_OF[type], state)
  if (!isStillOn) return 'the automation was switched off'
  const target = isFollowUp(type) ? null : targetOf(release, PHASE_OF[type])
  const isMoved = !isFollowUp(type) && (target === null || target > scope.now)
  if (isMoved) return 'its date was moved'
  if (isHeld(state, scope.now)) return 'automations are paused'
  if (isFollowUp(type)) return null
  const { freezes } = state.app
  return freezesAt(freezes, PHASE_OF[type], scope.now).length > 0 ? 'a freeze is on' : null
}
