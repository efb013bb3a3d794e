import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { freezesAt, type Freeze } from '#planning/calendar/freezes'
import { dateIn } from '#planning/calendar/local_time'
import { LADDER } from '#stores/derive/seen'
import { EVERY_DAY } from '../vocabulary.js'
import { closesFrom, isQuiet, type Window } from './growth_window.js'
import { nextMove, type LadderState } from './next_move.js'
import { nextPhase, type PhaseState } from './next_phase.js'
import type { RolloutPolicy } from './policy.js'

/** The reason for the time of a move: that of its rung, or what forbade growth until then. */
export const REASONS = ['rung', 'officeHours', 'quietDay', 'freeze'] as const
type Reason = (typeof REASONS)[number]

/** Moves of a forecast. */
export const FORECAST_MOVES = ['grow', 'pause', 'resume'] as const

/** A move that comes if the version stays healthy and nobody decides otherwise. */
export interface ForeseenMove {
  at: Instant
  what: (typeof FORECAST_MOVES)[number]
  /** The share of users after it. */
  percentage: number
  because: Reason
}

/** The limit of a forecast in moves, as a policy may have few days in a year. */
export const MOST_FORECAST_MOVES = 100
const FURTHEST = 400 * DAY

/** A window that is never closed. */
export const ALWAYS = { officeHours: null, weekdays: EVERY_DAY, quietDays: [] }

/** The health that a forecast by a policy assumes. */
export const assumed = ({ guard }: Pick<RolloutPolicy, 'guard'>) =>
  guard === null ? ('off' as const) : ('healthy' as const)

/**
 * Returns the moves of a staged rollout until all users have it, or nothing moves it any more: the
 * next move is asked for again and again, as if each came at its instant. Pure.
 * @param state with the health that is assumed
 */
export function ladderAhead(
  policy: RolloutPolicy,
  state: LadderState,
  freezes: readonly Freeze[],
  now: Instant
): ForeseenMove[] {
  const moves: ForeseenMove[] = []
  let is: LadderState = { ...state, observedUntil: null }
  let at = now
  while (moves.length < MOST_FORECAST_MOVES) {
    const move = nextMove(policy, is, freezes, at)
    if (move.what !== 'grow') break
    const unbound = nextMove({ ...policy, ...ALWAYS }, is, [], at)
    const wanted = unbound.what === 'grow' ? unbound.at : move.at
    const because = wanted === move.at ? 'rung' : closedBy(policy, freezes, wanted)
    moves.push({ at: move.at, what: 'grow', percentage: move.percentage, because })
    at = move.at
    is = { ...is, percentage: move.percentage, since: at }
  }
  return moves
}

function closedBy(window: Window, freezes: readonly Freeze[], at: Instant): Reason {
  if (freezesAt(freezes, 'release', at).length > 0) return 'freeze'
  return isQuiet(window, dateIn(window.timezone, at)) ? 'quietDay' : 'officeHours'
}

/** The forecast of a phased release of Apple: its days are Apple's. */
export interface PhasedState extends PhaseState {
  /** From 1. */
  day: number
  startedAt: Instant
  /** True if nothing continues by itself a rollout that the service has paused. */
  isHeld: boolean
}

/**
 * Returns the days of a phased release that are to come, and the pauses of the service between
 * them, as if it looked at each instant at which something changes. Pure.
 */
export const phaseAhead = (...of: Parameters<typeof phaseMoves>): ForeseenMove[] =>
  phaseMoves(...of)
    .take(MOST_FORECAST_MOVES)
    .toArray()

/** The same moves, one after the other. Pure. */
export function* phaseMoves(
  window: Window,
  state: PhasedState,
  freezes: readonly Freeze[],
  now: Instant
): Generator<ForeseenMove> {
  const { isHeld, startedAt } = state
  const furthest = later(now, FURTHEST)
  let { day, state: is, pausedFor, since, overruled } = state
  let at = now
  let paused = state.pausedDays * DAY
  const share = () => LADDER[day - 1]
  while (day < LADDER.length && at <= furthest) {
    const pausedDays = Math.floor(paused / DAY)
    const standing = { ...state, state: is, pausedFor, since, overruled, pausedDays }
    const move = nextPhase(window, standing, freezes, at)
    if (move.what === 'resume') {
      if (isHeld || move.at === null) break
      yield { at: move.at, what: 'resume', percentage: share(), because: 'rung' }
      paused += Date.parse(move.at) - Date.parse(at)
      at = move.at
      is = 'active'
      pausedFor = null
      continue
    }
    if (move.what === 'pause') {
      const because = closedBy(window, freezes, at)
      yield { at, what: 'pause', percentage: share(), because }
      is = 'paused'
      pausedFor = move.reason
      continue
    }
    if (is !== 'active') break
    const nextDay = later(startedAt, day * DAY + paused)
    const closes = closesFrom(window, freezes, at)
    if (closes !== null && closes > at && closes < nextDay) {
      at = closes
      continue
    }
    day += 1
    at = nextDay > at ? nextDay : at
    since = at
    overruled = []
    yield { at, what: 'grow', percentage: share(), because: 'rung' }
  }
}
