import { LADDER } from '#stores/derive/seen'
import type { Day } from '../guard/design_effect.js'
import { permitsGrowth, unitOf } from '../guard/health.js'
import { MAX_CLIMB, unreachable } from '../guard/reach.js'
import { POLICY_BOUNDS } from '../vocabulary.js'
import type { GuardMetric, RolloutPolicy } from './policy.js'

/** The ladder of Apple, with one day per rung. */
export const APPLE = LADDER.map((percentage) => ({ percentage, hours: 24 }))

/**
 * Returns the fault of a harm budget that is too small for the counts of an app; null if there is
 * none, or the traffic is unknown. Pure.
 * @param days counts of the metric, by day
 */
export function budgetFault(
  { ladder, guard }: Pick<RolloutPolicy, 'ladder' | 'guard'>,
  metric: GuardMetric,
  days: readonly Day[],
  isApple: boolean
): string | null {
  if (guard === null || !permitsGrowth(metric)) return null
  const rungs = isApple ? APPLE : ladder
  const [, most] = POLICY_BOUNDS.harmBudget
  const found = unreachable(rungs, { days, unit: unitOf(metric) }, guard.harmBudget, most)
  if (found === null) return null
  const takes =
    found.days === null
      ? 'no number of its users would prove a version that does as well as the one before'
      : `a version that does as well as the one before would take ${found.days} days to reach all users, and at most ${MAX_CLIMB} are allowed`
  const works =
    found.smallest === null
      ? 'No budget works: leave out the guard, or count more of its users.'
      : `The smallest budget that works is ${found.smallest}.`
  return `Judged by ${metric.name} in this app, ${takes}. ${works}`
}
