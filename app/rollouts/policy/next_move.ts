import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import { LATE_AT_MOST } from '../guard/coverage.js'
import { hoursAfter, nextOpening } from './growth_window.js'
import type { RolloutPolicy } from './policy.js'

/**
 * The guard's verdict on a version: `healthy` if it may reach its next rung, `off` without a guard,
 * `silent` without reports, `noBaseline` without a previous version.
 */
export type Health = 'off' | 'healthy' | 'unhealthy' | 'notEnoughData' | 'silent' | 'noBaseline'

/** The reason why a rollout is held; `late` if data about its rung is still to come. */
type HoldReason = 'notEnoughData' | 'late' | 'silent' | 'noBaseline' | 'closed'

/** The state of a staged rollout. */
export interface LadderState {
  state: 'notStarted' | 'active' | 'paused' | 'halted' | 'complete'
  percentage: number
  /** The time since when it has that percentage. */
  since: Instant
  startedAt: Instant
  health: Health
  /** The time up to which late sources of the guard report on its users; null if none is late. */
  observedUntil?: Instant | null
}

/** The next automatic change of a rollout. */
type Move =
  /** The service makes no move. */
  | { what: 'stay'; reason: Exclude<LadderState['state'], 'active'> }
  /** It grows at an instant, which may be now. */
  | { what: 'grow'; percentage: number; at: Instant; isOverdue: boolean }
  /** It is held; `isLate` if it would have grown by now, so that people are called. */
  | {
      what: 'hold'
      reason: HoldReason
      isLate: boolean
      /** True if the rollout cannot reach all users within the days of its policy. */
      isOverdue: boolean
    }
  | { what: 'halt' }

/**
 * Returns the next move of a staged rollout that the service controls. It grows rung by rung, each
 * no sooner than its time, only while growth is allowed, and only if the guard finds it healthy or
 * there is no guard. A rung's hours count only as far as data covers them. No deadline skips a
 * rung. A halted or paused rollout stays so. Pure.
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
  const isCovered = observedUntil === null || observedUntil >= endsAt
  const risesAt = isCovered ? endsAt : later(endsAt, lag)
  const rises = nextOpening(policy, freezes, risesAt > now ? risesAt : now)
  const hold = (reason: HoldReason) => ({
    what: 'hold' as const,
    reason,
    // A missing baseline does not improve with time.
    isLate: reason === 'noBaseline' || risesAt <= now || (endsAt <= now && lag > LATE_AT_MOST),
    isOverdue: finish !== null && finish <= now,
  })
  if (health === 'notEnoughData' && !isCovered) return hold('late')
  if (health !== 'healthy' && health !== 'off') return hold(health)
  if (rises === null) return hold('closed')
  const isOverdue = finish !== null && rises > finish
  return { what: 'grow', percentage: rung.percentage, at: rises, isOverdue }
}

const finishOf = ({ finishWithinDays }: RolloutPolicy, startedAt: Instant): Instant | null =>
  finishWithinDays === null ? null : hoursAfter(startedAt, finishWithinDays * 24)

/**
 * Returns the hours to stay at a percentage; below the first rung, those of the first rung. A
 * deadline shortens all remaining rungs by the same factor.
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
  // There is no wait on the last rung, which has all users.
  const remaining = ladder.slice(index, -1).reduce((sum, { hours }) => sum + hoursOf(hours), 0)
  const until = Math.max(0, Date.parse(finish) - Date.parse(since)) / HOUR
  return remaining <= until ? own : own * (until / remaining)
}
