import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { freezesAt, type Freeze } from '#planning/calendar/freezes'
import { dateIn } from '#planning/calendar/local_time'
import { LADDER } from '#stores/derive/seen'
import { EVERY_DAY } from '../vocabulary.js'
import { nextClosing, isQuiet, type Window } from './growth_window.js'
import { nextMove, type LadderState } from './next_move.js'
import { nextPhase, type PhaseState } from './next_phase.js'
import type { RolloutPolicy } from './policy.js'

/** The reasons for the time of a move: its rung, or what forbids growth before it. */
export const REASONS = ['rung', 'officeHours', 'quietDay', 'freeze'] as const
type Reason = (typeof REASONS)[number]

/** The kinds of moves in a forecast. */
export const FORECAST_MOVES = ['grow', 'pause', 'resume'] as const

/** A move to expect if the version stays healthy and nobody decides otherwise. */
export interface ForeseenMove {
  at: Instant
  what: (typeof FORECAST_MOVES)[number]
  /** The share of users after it. */
  percentage: number
  because: Reason
}

/** The most moves of a forecast: a policy may allow only a few days in a year. */
export const MAX_FORECAST_MOVES = 100
const FURTHEST = 400 * DAY

/** The part of a policy that allows growth at any time. */
export const ALWAYS = { officeHours: null, weekdays: EVERY_DAY, quietDays: [] }

/** Returns the health that a forecast by a policy assumes. */
export const assumed = ({ guard }: Pick<RolloutPolicy, 'guard'>) =>
  guard === null ? ('off' as const) : ('healthy' as const)

/**
 * Returns the moves of a staged rollout until all users have it or no move follows: it asks for the
 * next move repeatedly, as if each was made at its instant. Pure.
 * @param state the state, with the health to assume
 */
export function ladderAhead(
  policy: RolloutPolicy,
  state: LadderState,
  freezes: readonly Freeze[],
  now: Instant
): ForeseenMove[] {
  const moves: ForeseenMove[] = []
  let current: LadderState = { ...state, observedUntil: null }
  let at = now
  while (moves.length < MAX_FORECAST_MOVES) {
    const move = nextMove(policy, current, freezes, at)
    if (move.what !== 'grow') break
    const unbound = nextMove({ ...policy, ...ALWAYS }, current, [], at)
    const wanted = unbound.what === 'grow' ? unbound.at : move.at
    const because = wanted === move.at ? 'rung' : closedBy(policy, freezes, wanted)
    moves.push({ at: move.at, what: 'grow', percentage: move.percentage, because })
    at = move.at
    current = { ...current, percentage: move.percentage, since: at }
  }
  return moves
}

function closedBy(window: Window, freezes: readonly Freeze[], at: Instant): Reason {
  if (freezesAt(freezes, 'release', at).length > 0) return 'freeze'
  return isQuiet(window, dateIn(window.timezone, at)) ? 'quietDay' : 'officeHours'
}

/** The state of a phased release of Apple, with what its forecast needs. */
export interface PhasedState extends PhaseState {
  /** The day that it is at, from 1. */
  day: number
  startedAt: Instant
  /** True if automations are paused: nothing resumes a pause by the service. */
  isHeld: boolean
}

/**
 * Returns the coming days of a phased release, and the service's pauses between them, as if the
 * service checked it at each change. Pure.
 */
export const phaseAhead = (...of: Parameters<typeof phaseMoves>): ForeseenMove[] =>
  phaseMoves(...of)
    .take(MAX_FORECAST_MOVES)
    .toArray()

/** Yields the moves of `phaseAhead` one by one. Pure. */
export function* phaseMoves(
  window: Window,
  state: PhasedState,
  freezes: readonly Freeze[],
  now: Instant
): Generator<ForeseenMove> {
  const { isHeld, startedAt } = state
  const furthest = later(now, FURTHEST)
  let { day, state: current, pausedFor, since, overruled } = state
  let at = now
  let paused = state.pausedDays * DAY
  const share = () => LADDER[day - 1]
  while (day < LADDER.length && at <= furthest) {
    const pausedDays = Math.floor(paused / DAY)
    const standing = { ...state, state: current, pausedFor, since, overruled, pausedDays }
    const move = nextPhase(window, standing, freezes, at)
    if (move.what === 'resume') {
      if (isHeld || move.at === null) break
      yield { at: move.at, what: 'resume', percentage: share(), because: 'rung' }
      paused += Date.parse(move.at) - Date.parse(at)
      at = move.at
      current = 'active'
      pausedFor = null
      continue
    }
    if (move.what === 'pause') {
      const because = closedBy(window, freezes, at)
      yield { at, what: 'pause', percentage: share(), because }
      current = 'paused'
      pausedFor = move.reason
      continue
    }
    if (current !== 'active') break
    const nextDay = later(startedAt, day * DAY + paused)
    const closes = nextClosing(window, freezes, at)
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
