import type { Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import { hoursAfter, openFrom } from './growth_window.js'
import type { RolloutPolicy } from './policy.js'

/** What the guard says of a version; `off` where nobody judges, `silent` where nothing is told. */
export type Health = 'off' | 'healthy' | 'unhealthy' | 'notEnoughData' | 'silent'

/** How a staged rollout stands. */
export interface LadderState {
  state: 'notStarted' | 'active' | 'paused' | 'halted' | 'complete'
  percentage: number
  /** Since when it has that percentage. */
  since: Instant
  startedAt: Instant
  health: Health
}

/** What becomes of a rollout next, by itself. */
type Move =
  /** Nothing: it is not for the service to move it. */
  | { what: 'stay'; reason: Exclude<LadderState['state'], 'active'> }
  /** It grows at an instant, which may have come. */
  | { what: 'grow'; percentage: number; at: Instant }
  /**
   * It is held. Where there is an instant it goes to all then whatever is missing; otherwise
   * somebody is called. `isLate` says that it would have grown by now.
   */
  | {
      what: 'hold'
      reason: 'notEnoughData' | 'silent' | 'closed'
      until: Instant | null
      isLate: boolean
    }
  | { what: 'halt' }

/**
 * What becomes of a staged rollout that the service drives. It grows rung by rung, each no sooner
 * than its time and only while growing is allowed. What is halted or paused stays so. Pure.
 */
export function nextMove(
  policy: RolloutPolicy,
  { state, percentage, since, startedAt, health }: LadderState,
  freezes: readonly Freeze[],
  now: Instant
): Move {
  if (state !== 'active') return { what: 'stay', reason: state }
  if (health === 'unhealthy') return { what: 'halt' }
  const rung = policy.ladder.find((each) => each.percentage > percentage)
  if (!rung) return { what: 'stay', reason: 'complete' }
  const open = (at: Instant) => openFrom(policy, freezes, at > now ? at : now)
  const risesAt = hoursAfter(since, dwellOf(policy, percentage, health))
  const isLate = risesAt <= now
  // Whether a version harms nobody knows: neither does a date.
  if (health === 'silent') return { what: 'hold', reason: 'silent', until: null, isLate }
  const finish =
    policy.finishWithinDays === null
      ? null
      : open(hoursAfter(startedAt, policy.finishWithinDays * 24))
  if (health === 'notEnoughData') {
    return finish !== null && finish <= now
      ? { what: 'grow', percentage: 100, at: finish }
      : { what: 'hold', reason: 'notEnoughData', until: finish, isLate }
  }
  const rises = open(risesAt)
  if (rises === null) return { what: 'hold', reason: 'closed', until: null, isLate }
  return finish !== null && finish <= rises
    ? { what: 'grow', percentage: 100, at: finish }
    : { what: 'grow', percentage: rung.percentage, at: rises }
}

/** Hours at a percentage; below the first rung as long as on it. */
function dwellOf({ ladder, healthyHours }: RolloutPolicy, percentage: number, health: Health) {
  const rung = ladder.findLast((each) => each.percentage <= percentage) ?? ladder[0]
  return health === 'healthy' && healthyHours !== null
    ? Math.min(healthyHours, rung.hours)
    : rung.hours
}
