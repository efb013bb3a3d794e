import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import { nextOpenDay } from './growth_window.js'
import type { Health } from './next_move.js'
import type { RolloutPolicy } from './policy.js'

/** The days that Apple lets a phased release be paused in all; after that, it goes on by itself. */
export const PAUSE_BUDGET = 30

/** The pause days that are reserved for findings of the guard, not for quiet days. */
const KEPT_FOR_HEALTH = 10

/**
 * The time after which a pause before the next day is made, in milliseconds. A day of Apple lasts
 * 24 hours, and is seen some time after it began.
 */
const BEFORE_NEXT_DAY = 20 * HOUR

/** The state of a phased release of Apple. */
export interface PhaseState {
  state: 'notStarted' | 'active' | 'paused' | 'complete'
  /** Whole days that it was paused in all. */
  pausedDays: number
  /** The reason for which the service paused it; null if it did not, or a person paused it. */
  pausedFor: PhasePause | null
  /** The time since when it was seen on its present day. */
  since: Instant
  /** Reasons of the service's pauses on this day that a person ended. */
  overruled: readonly PhasePause[]
  health: Health
}

/** The reasons for which the service pauses a phased release. */
export type PhasePause = 'unhealthy' | 'silent' | 'quiet' | 'notEnoughData' | 'noBaseline'

type PhaseMove =
  | {
      what: 'stay'
      reason: 'notStarted' | 'paused' | 'complete' | 'climbs' | 'unhealthy' | 'budget'
      /** The time at which it is paused if it is not healthy by then. */
      at?: Instant
    }
  | { what: 'pause'; reason: PhasePause }
  /** It is resumed at an instant, which may be now; null if that is still unknown. */
  | { what: 'resume'; at: Instant | null }

/**
 * Returns the next move of a phased release. Its seven days are Apple's: the service can only pause
 * and resume it. It pauses an unhealthy or silent version, before a day that the numbers do not
 * justify, and on quiet days as far as the pause days suffice. Only a person resumes a version that
 * was unhealthy, or that a person paused. After a person ended a pause of the service, it is not
 * paused again for that reason on the same day. Pure.
 */
export function nextPhase(
  policy: Pick<RolloutPolicy, 'timezone' | 'officeHours' | 'weekdays' | 'quietDays'>,
  { state, pausedDays, pausedFor, since, overruled, health }: PhaseState,
  freezes: readonly Freeze[],
  now: Instant
): PhaseMove {
  const left = PAUSE_BUDGET - pausedDays
  const awake = nextOpenDay(policy, freezes, now)
  if (state === 'paused') {
    if (pausedFor === null) return { what: 'stay', reason: 'paused' }
    if (pausedFor === 'unhealthy' || health === 'unhealthy') {
      return { what: 'stay', reason: 'unhealthy' }
    }
    return { what: 'resume', at: health === 'healthy' || health === 'off' ? awake : null }
  }
  if (state !== 'active') return { what: 'stay', reason: state }
  if (left <= 0) return { what: 'stay', reason: 'budget' }
  if (health === 'unhealthy') return { what: 'pause', reason: health }
  const isOpen = (reason: PhasePause) => !overruled.includes(reason)
  if (health === 'silent' && isOpen(health)) return { what: 'pause', reason: health }
  const isUnproven = health === 'notEnoughData' || health === 'noBaseline'
  const unproven = isUnproven && isOpen(health) ? health : null
  const nextDay = later(since, BEFORE_NEXT_DAY)
  if (unproven && nextDay <= now) return { what: 'pause', reason: unproven }
  if (awake === now || !isOpen('quiet'))
    return { what: 'stay', reason: 'climbs', ...(unproven && { at: nextDay }) }
  return left > KEPT_FOR_HEALTH
    ? { what: 'pause', reason: 'quiet' }
    : { what: 'stay', reason: 'budget' }
}
