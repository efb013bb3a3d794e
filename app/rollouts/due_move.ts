import { later, type Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import type { RolloutFacts } from '#releases/engine/facts'
import type Release from '#releases/models/release'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { nextMove, type Health, type LadderState } from './policy/next_move.js'
import { ALWAYS, assumed, ladderAhead, phaseAhead, type ForeseenMove } from './policy/forecast.js'
import { nextPhase } from './policy/next_phase.js'
import type { RolloutPolicy } from './policy/policy.js'
import type { Finding, RolloutRow } from './tables.js'
import { stoppedIn } from './watch_rollouts.js'

/** A rollout, with all that its next move depends on. */
export interface Standing {
  release: Release
  store: StoreOfRelease
  row: RolloutRow
  policy: RolloutPolicy
  health: Health
  found: readonly Finding[]
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

/** Returns the expected moves of a staged rollout that stays healthy. Pure. */
export function ladderAheadOf(
  standing: Forecast & Pick<Standing, 'row' | 'policy'>,
  now: Instant
): ForeseenMove[] {
  if (isOver(standing.release)) return []
  const { policy, state } = onLadder(standing, now)
  const ahead = { ...state, health: assumed(policy), ...decidedState(standing.store, now) }
  return ahead.percentage === 100 ? [] : ladderAhead(policy, ahead, standing.freezes, now)
}

/**
 * Returns the state that a pending decision leads to, as if it were reached now; nothing without
 * one.
 */
function decidedState({ plan }: StoreOfRelease, now: Instant) {
  const requested = plan?.rollout
  if (requested?.status !== 'underWay') return {}
  switch (requested.to.action) {
    case 'pause':
    case 'halt':
      return { state: 'halted' as const }
    case 'resume':
      return { state: 'active' as const }
    case 'complete':
      return { state: 'complete' as const, percentage: 100, since: now }
    case 'set':
      return { state: 'active' as const, percentage: requested.to.percentage, since: now }
  }
}

/** Returns the state and the policy that decide about the next move of a staged rollout. */
function onLadder(
  { store, row, policy }: Pick<Standing, 'store' | 'row' | 'policy'>,
  now: Instant
) {
  const { state, percentage } = store.facts.rollout
  // After an unhealthy finding, the rollout goes on by evidence and by the hours of its rungs,
  // without a deadline.
  const wasBad = row.stages.some(({ unhealthyAt }) => unhealthyAt !== undefined)
  return {
    policy: wasBad ? { ...policy, ...UNHURRIED } : policy,
    state: {
      state: ladderState(state),
      percentage,
      // Time in which it was stopped counts neither for the rung nor for the deadline.
      since: sinceWithoutStops(row.stages.slice(-1), now),
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
    since: sinceWithoutStops(stagesOfDay(row), now),
    overruled: stagesOfDay(row).flatMap(({ overruled = [] }) => overruled),
    health,
  } as const
  // Once a release has ended, only the guard decides: the policy's days no longer apply.
  return isOver(release)
    ? nextPhase({ ...policy, ...ALWAYS }, standing, [], now)
    : nextPhase(policy, standing, freezes, now)
}

/**
 * Returns the coming days of a phased release that stays healthy, with the pauses by its policy.
 * Pure.
 */
export function phaseAheadOf(
  standing: Forecast & { row: RolloutRow | null; policy: RolloutPolicy | null; isHeld: boolean },
  now: Instant
): ForeseenMove[] {
  const { release, store, row, policy, freezes, isHeld } = standing
  const { day, startedAt } = store.version?.known?.rollout ?? {}
  const { state } = store.facts.rollout
  if (!day || !startedAt || state === null) return []
  const requested = decidedState(store, now).state
  const shown = ladderState(state)
  let phaseState = shown === 'halted' ? ('paused' as const) : shown
  if (requested !== undefined) phaseState = requested === 'active' ? 'active' : 'paused'
  const isDriven = row !== null && policy !== null && !isOver(release)
  return phaseAhead(
    isDriven ? policy : { timezone: 'UTC', ...ALWAYS },
    {
      day,
      startedAt,
      isHeld,
      state: phaseState,
      pausedDays: pausedDaysOf(store),
      pausedFor: isDriven && requested === undefined ? row.pausedFor : null,
      since: row === null ? now : sinceWithoutStops(stagesOfDay(row), now),
      overruled: row === null ? [] : stagesOfDay(row).flatMap(({ overruled = [] }) => overruled),
      health: policy === null ? 'off' : assumed(policy),
    },
    isDriven ? freezes : [],
    now
  )
}

/** Settings of a policy that shortens no rung. */
const UNHURRIED = { finishWithinDays: null, healthyHours: null }

/**
 * Returns whether a release has ended: then no policy lets its rollout grow, but its guard can
 * still stop it.
 */
export const isOver = ({ status }: Pick<Release, 'status'>) => status !== 'active'

/**
 * Converts the state of a rollout to that of its ladder; a replaced version has completed its
 * ladder.
 */
function ladderState(state: RolloutFacts['state']): LadderState['state'] {
  if (state === null) return 'notStarted'
  return state === 'completed' || state === 'replaced' ? 'complete' : state
}

export const isApple = ({ target }: StoreOfRelease) => target.storeType === 'apple'

/** Returns the whole days of pause that Apple has counted. */
export const pausedDaysOf = ({ version }: StoreOfRelease) =>
  version?.known?.rollout?.pausedDays ?? 0

/** Returns the stages of Apple's present day: a day continues after a pause. */
const stagesOfDay = ({ stages }: RolloutRow) =>
  stages.slice(stages.findIndex(({ percentage }) => percentage === stages.at(-1)!.percentage))

/**
 * Returns when the first of some stages began, moved later by the time that the rollout was stopped
 * since.
 */
const sinceWithoutStops = (stages: RolloutRow['stages'], now: Instant): Instant =>
  later(stages[0].at, stoppedIn(stages, now))
