import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import { LATE_AT_MOST } from '../guard/coverage.js'
import { hoursAfter, openFrom } from './growth_window.js'
import type { RolloutPolicy } from './policy.js'

/**
 * The guard's verdict on a version: `healthy` if it may reach its next rung, `off` if nobody
 * judges, `silent` without reports, `noBaseline` without a previous version.
 */
export type Health = 'off' | 'healthy' | 'unhealthy' | 'notEnoughData' | 'silent' | 'noBaseline'

/** Why a rollout is held; `late` where data of its rung is still to come. */
type HoldReason = 'notEnoughData' | 'late' | 'silent' | 'noBaseline' | 'closed'

/** The state of a staged rollout. */
export interface LadderState {
  state: 'notStarted' | 'active' | 'paused' | 'halted' | 'complete'
  percentage: number
  /** Since when it has that percentage. */
  since: Instant
  startedAt: Instant
  health: Health
  /** The time up to which late sources of the guard report on its users; null if none is late. */
  observedUntil?: Instant | null
}

/** The next automatic change of a rollout. */
type Move =
  /** Nothing: it is not for the service to move it. */
  | { what: 'stay'; reason: Exclude<LadderState['state'], 'active'> }
  /** It grows at an instant, which may have come. */
  | { what: 'grow'; percentage: number; at: Instant; isOverdue: boolean }
  /** It is held, and somebody is called where it would have grown by now. */
  | {
      what: 'hold'
      reason: HoldReason
      isLate: boolean
      /** True when the rollout cannot reach all users by the day that its policy names. */
      isOverdue: boolean
    }
  | { what: 'halt' }

/**
 * Returns the next move of a staged rollout that the service controls. It grows rung by rung, each
 * no sooner than its time, only while growing is allowed, and only if the guard finds it healthy or
 * nobody judges. Only hours that data covers count of a rung. No date skips a rung. A halted or paused rollout stays so. Pure.
 */
export function nextMove(
  policy: RolloutPolicy,
  { state, percentage, since, startedAt, health, observedUntil = null }: LadderState,
  freezes: readonly Freeze[],
  now: Instant
): Move {
  if (state !== 'active') return { what: 'stay', reason: state }
  if (health === 'unhealthy') return { what: 'halt' }
  const rung = policy.ladder.find((each) => each.percentage > percentage)
  if (!rung) return { what: 'stay', reason: 'complete' }
  const finish = finishOf(policy, startedAt)
  const endsAt = hoursAfter(since, dwellOf(policy, { percentage, since, health }, finish))
  const lag = observedUntil === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(observedUntil))
  const isSeen = observedUntil === null || observedUntil >= endsAt
  const risesAt = isSeen ? endsAt : later(endsAt, lag)
  const rises = openFrom(policy, freezes, risesAt > now ? risesAt : now)
  const hold = (reason: HoldReason) => ({
    what: 'hold' as const,
    reason,
    // A missing baseline does not improve with time.
    isLate: reason === 'noBaseline' || risesAt <= now || (endsAt <= now && lag > LATE_AT_MOST),
    isOverdue: finish !== null && finish <= now,
  })
  if (health === 'notEnoughData' && !isSeen) return hold('late')
  if (health !== 'healthy' && health !== 'off') return hold(health)
  if (rises === null) return hold('closed')
  const isOverdue = finish !== null && rises > finish
  return { what: 'grow', percentage: rung.percentage, at: rises, isOverdue }
}

const finishOf = ({ finishWithinDays }: RolloutPolicy, startedAt: Instant): Instant | null =>
  finishWithinDays === null ? null : hoursAfter(startedAt, finishWithinDays * 24)

/**
 * Hours at a percentage; below the first rung as long as on it. A date to finish by shortens all
 * rungs that are left by the same part.
 */
function dwellOf(
  { ladder, healthyHours }: RolloutPolicy,
  { percentage, since, health }: Pick<LadderState, 'percentage' | 'since' | 'health'>,
  finish: Instant | null
): number {
  const hoursOf = (hours: number) =>
    health === 'healthy' && healthyHours !== null ? Math.min(healthyHours, hours) : hours
  const index = Math.max(
    0,
    ladder.findLastIndex((each) => each.percentage <= percentage)
  )
  const own = hoursOf(ladder[index].hours)
  if (finish === null) return own
  // Nobody waits on the last one: it is with all there.
  const left = ladder.slice(index, -1).reduce((sum, { hours }) => sum + hoursOf(hours), 0)
  const until = Math.max(0, Date.parse(finish) - Date.parse(since)) / HOUR
  return left <= until ? own : own * (until / left)
}
