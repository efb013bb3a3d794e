import type { Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import { awakeFrom } from './growth_window.js'
import type { Health } from './next_move.js'
import type { RolloutPolicy } from './policy.js'

/** Days that Apple lets a phased release be paused for in all; then it goes on by itself. */
export const PAUSE_BUDGET = 30

/** So many of them are kept for a version that is not well: quiet days do without. */
const KEPT_FOR_HEALTH = 10

/** How a phased release of Apple stands. */
export interface PhaseState {
  state: 'notStarted' | 'active' | 'paused' | 'complete'
  /** Whole days it was paused in all. */
  pausedDays: number
  /** Why the service paused it, where it did; a person's pause is theirs. */
  pausedFor: PhasePause | null
  health: Health
}

/** What the service pauses a phased release for. */
export type PhasePause = 'unhealthy' | 'silent' | 'quiet'

type PhaseMove =
  | {
      what: 'stay'
      reason: 'notStarted' | 'paused' | 'complete' | 'climbs' | 'unhealthy' | 'budget'
    }
  | { what: 'pause'; reason: PhasePause }
  /** It goes on at an instant, which may have come; null where nobody knows yet. */
  | { what: 'resume'; at: Instant | null }

/**
 * What becomes of a phased release, whose seven days are Apple's: the service can only pause it,
 * and let it go on. It is paused where the version is unhealthy or nobody hears of it, and on days
 * on which nothing is to grow as far as the pauses allow. One that was found unhealthy, or that a
 * person paused, is for a person to resume. Pure.
 */
export function nextPhase(
  policy: RolloutPolicy,
  { state, pausedDays, pausedFor, health }: PhaseState,
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
    return { what: 'resume', at: health === 'silent' ? null : awake }
  }
  if (state !== 'active') return { what: 'stay', reason: state }
  if (left <= 0) return { what: 'stay', reason: 'budget' }
  if (health === 'unhealthy' || health === 'silent') return { what: 'pause', reason: health }
  if (awake === now) return { what: 'stay', reason: 'climbs' }
  return left > KEPT_FOR_HEALTH
    ? { what: 'pause', reason: 'quiet' }
    : { what: 'stay', reason: 'budget' }
}
