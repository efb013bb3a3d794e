import { later, type Instant } from '#foundation/core/clock'
import { HOUR } from '#foundation/core/durations'
import type { Freeze } from '#planning/calendar/freezes'
import { awakeFrom } from './growth_window.js'
import type { Health } from './next_move.js'
import type { RolloutPolicy } from './policy.js'

/** Days that Apple lets a phased release be paused for in all; then it goes on by itself. */
export const PAUSE_BUDGET = 30

/** So many of them are kept for what the guard finds: quiet days do without. */
const KEPT_FOR_HEALTH = 10

/**
 * A day of Apple lasts 24 hours. It is seen some time after it began, so what is to be paused
 * before the next one is paused after so many.
 */
const BEFORE_NEXT_DAY = 20 * HOUR

/** The state of a phased release of Apple. */
export interface PhaseState {
  state: 'notStarted' | 'active' | 'paused' | 'complete'
  /** Whole days it was paused in all. */
  pausedDays: number
  /** Why the service paused it, where it did; a person's pause is theirs. */
  pausedFor: PhasePause | null
  /** Since when it is seen at the day it is at. */
  since: Instant
  /** Pauses of the service on this day that a person ended. */
  overruled: readonly PhasePause[]
  health: Health
}

/** The reasons for which the service pauses a phased release. */
export type PhasePause = 'unhealthy' | 'silent' | 'quiet' | 'notEnoughData' | 'noBaseline'

type PhaseMove =
  | {
      what: 'stay'
      reason: 'notStarted' | 'paused' | 'complete' | 'climbs' | 'unhealthy' | 'budget'
      /** The time at which it is paused unless it is healthy by then. */
      at?: Instant
    }
  | { what: 'pause'; reason: PhasePause }
  /** It goes on at an instant, which may have come; null if nobody knows yet. */
  | { what: 'resume'; at: Instant | null }

/**
 * Returns the next move of a phased release, whose seven days are Apple's: the service can only
 * pause and resume it. It pauses an unhealthy or silent version, before a day that the numbers do
 * not justify, and on days without growth as far as the number of pauses allows. A version that was
 * unhealthy, or that a person paused, is resumed by a person. If a person ends a pause of the
 * service, it is not paused again for that reason on the same day. Pure.
 */
export function nextPhase(
  policy: Pick<RolloutPolicy, 'timezone' | 'officeHours' | 'weekdays' | 'quietDays'>,
  { state, pausedDays, pausedFor, since, overruled, health }: PhaseState,
  freezes: readonly Freeze[],
  now: Instant
): PhaseMove {
  const left = PAUSE_BUDGET - pausedDays
  const awake = awakeFrom(policy, freezes, now)
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
