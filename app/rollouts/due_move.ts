import { later, type Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import type { RolloutFacts } from '#releases/engine/facts'
import type Release from '#releases/models/release'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { nextMove, type Health, type LadderState } from './policy/next_move.js'
import { ALWAYS, assumed, ladderAhead, phaseAhead, type ForeseenMove } from './policy/forecast.js'
import { nextPhase } from './policy/next_phase.js'
import type { RolloutPolicy } from './policy/policy.js'
import type { Found, RolloutRow } from './tables.js'
import { stoppedIn } from './watch_rollouts.js'

/** A rollout, and all that its next move depends on. */
export interface Standing {
  release: Release
  store: StoreOfRelease
  row: RolloutRow
  policy: RolloutPolicy
  health: Health
  found: readonly Found[]
  freezes: readonly Freeze[]
  /** The time up to which late sources report on its users; null if none is late. */
  observedUntil: Instant | null
}

/** Returns the next move of a staged rollout. Pure. */
export function ladderMove(standing: Standing, now: Instant): ReturnType<typeof nextMove> {
  const { health, freezes, observedUntil } = standing
  const { policy, state } = onLadder(standing, now)
  return nextMove(policy, { ...state, health, observedUntil }, freezes, now)
}

type Forecast = Pick<Standing, 'store' | 'freezes'> & { release: Pick<Release, 'status'> }

/** Returns the moves to come of a staged rollout that stays healthy. Pure. */
export function ladderAheadOf(
  standing: Forecast & Pick<Standing, 'row' | 'policy'>,
  now: Instant
): ForeseenMove[] {
  if (isOver(standing.release)) return []
  const { policy, state } = onLadder(standing, now)
  const asked = isAsked(standing.store, now)
  const is = { ...state, health: assumed(policy), ...asked }
  return is.percentage === 100 ? [] : ladderAhead(policy, is, standing.freezes, now)
}

/** The state of a rollout that the store is asked for, as if it were reached now. */
function isAsked({ plan }: StoreOfRelease, now: Instant) {
  const asked = plan?.rollout
  if (asked?.is !== 'underWay') return {}
  switch (asked.to.action) {
    case 'pause':
    case 'halt':
      return { state: 'halted' as const }
    case 'resume':
      return { state: 'active' as const }
    case 'complete':
      return { state: 'complete' as const, percentage: 100, since: now }
    case 'set':
      return { state: 'active' as const, percentage: asked.to.percentage, since: now }
  }
}

/** A staged rollout as its next move is found, and the policy by which. */
function onLadder(
  { store, row, policy }: Pick<Standing, 'store' | 'row' | 'policy'>,
  now: Instant
) {
  const { state, percentage } = store.facts.rollout
  // After an unhealthy finding, a rollout continues by proof and by its hours, not by a date.
  const wasBad = row.stages.some(({ unhealthyAt }) => unhealthyAt !== undefined)
  return {
    policy: wasBad ? { ...policy, ...UNHURRIED } : policy,
    state: {
      state: ladderState(state),
      percentage,
      // Neither for a rung nor for its end does the time count in which it was stopped.
      since: stoodSince(row.stages.slice(-1), now),
      startedAt: later(row.startedAt, stoppedIn(row.stages, now)),
    },
  }
}

/** Returns the next move of a phased release of Apple. Pure. */
export function phaseMove(
  { release, store, row, policy, health, freezes }: Standing,
  now: Instant
): ReturnType<typeof nextPhase> {
  const state = ladderState(store.facts.rollout.state)
  const standing = {
    state: state === 'halted' ? 'paused' : state,
    pausedDays: pausedDaysOf(store),
    pausedFor: row.pausedFor,
    since: stoodSince(ofDay(row), now),
    overruled: ofDay(row).flatMap(({ overruled = [] }) => overruled),
    health,
  } as const
  // Once a release is over, only the guard decides: its policy has no days for it.
  return isOver(release)
    ? nextPhase({ ...policy, ...ALWAYS }, standing, [], now)
    : nextPhase(policy, standing, freezes, now)
}

/**
 * Returns the days of a phased release that are to come if it stays healthy, with the pauses that
 * its policy makes. Pure.
 */
export function phaseAheadOf(
  standing: Forecast & { row: RolloutRow | null; policy: RolloutPolicy | null; isHeld: boolean },
  now: Instant
): ForeseenMove[] {
  const { release, store, row, policy, freezes, isHeld } = standing
  const { day, startedAt } = store.version?.known?.rollout ?? {}
  const { state } = store.facts.rollout
  if (!day || !startedAt || state === null) return []
  const asked = isAsked(store, now).state
  const is = ladderState(state)
  const isDriven = row !== null && policy !== null && !isOver(release)
  return phaseAhead(
    isDriven ? policy : { timezone: 'UTC', ...ALWAYS },
    {
      ...{ day, startedAt, isHeld },
      state: asked === 'active' ? asked : asked || is === 'halted' ? 'paused' : is,
      pausedDays: pausedDaysOf(store),
      pausedFor: isDriven && asked === undefined ? row.pausedFor : null,
      since: row === null ? now : stoodSince(ofDay(row), now),
      overruled: row === null ? [] : ofDay(row).flatMap(({ overruled = [] }) => overruled),
      health: policy === null ? 'off' : assumed(policy),
    },
    isDriven ? freezes : [],
    now
  )
}

/** A policy that shortens no rung. */
const UNHURRIED = { finishWithinDays: null, healthyHours: null }

/** Nothing of a release that is over grows by a policy; its guard goes on to stop it. */
export const isOver = ({ status }: Pick<Release, 'status'>) => status !== 'active'

/** A replaced version grows no further: its ladder is over. */
function ladderState(state: RolloutFacts['state']): LadderState['state'] {
  if (state === null) return 'notStarted'
  return state === 'completed' || state === 'replaced' ? 'complete' : state
}

export const isApple = ({ target }: StoreOfRelease) => target.storeType === 'apple'

/** Whole days that Apple counts so far, where it was paused. */
export const pausedDaysOf = ({ version }: StoreOfRelease) =>
  version?.known?.rollout?.pausedDays ?? 0

/** The stages of the day that Apple is at: a day goes on after a pause, whoever made it. */
const ofDay = ({ stages }: RolloutRow) =>
  stages.slice(stages.findIndex(({ percentage }) => percentage === stages.at(-1)!.percentage))

/** Returns when the first of some stages began, shifted by the time it was stopped since. */
const stoodSince = (stages: RolloutRow['stages'], now: Instant): Instant =>
  later(stages[0].at, stoppedIn(stages, now))
