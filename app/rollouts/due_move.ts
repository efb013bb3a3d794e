import { later, type Instant } from '#foundation/core/clock'
import type { Freeze } from '#planning/calendar/freezes'
import type { RolloutFacts } from '#releases/engine/facts'
import type Release from '#releases/models/release'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { nextMove, type Health } from './policy/next_move.js'
import { nextPhase } from './policy/next_phase.js'
import type { RolloutPolicy } from './policy/policy.js'
import type { Found, RolloutRow } from './tables.js'
import { EVERY_DAY } from './vocabulary.js'
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
  /** To when late sources tell of its users; null where none is late. */
  observedUntil: Instant | null
}

/** Returns the next move of a staged rollout. Pure. */
export function ladderMove(
  { store, row, policy, health, freezes, observedUntil }: Standing,
  now: Instant
): ReturnType<typeof nextMove> {
  const { state, percentage } = store.facts.rollout
  // After an unhealthy finding, a rollout continues by proof and by its hours, not by a date.
  const wasBad = row.stages.some(({ unhealthyAt }) => unhealthyAt !== undefined)
  const standing = {
    state: ladderState(state),
    percentage,
    // Neither for a rung nor for its end does the time count in which it was stopped.
    since: stoodSince(row.stages.slice(-1), now),
    startedAt: later(row.startedAt, stoppedIn(row.stages, now)),
    health,
    observedUntil,
  } as const
  return nextMove(wasBad ? { ...policy, ...UNHURRIED } : policy, standing, freezes, now)
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
    ? nextPhase({ ...policy, ...ANY_DAY }, standing, [], now)
    : nextPhase(policy, standing, freezes, now)
}

/** A policy that shortens no rung. */
const UNHURRIED = { finishWithinDays: null, healthyHours: null }

/** A policy that knows no days on which nothing is to grow. */
const ANY_DAY = { officeHours: null, weekdays: EVERY_DAY, quietDays: [] }

/** Nothing of a release that is over grows by a policy; its guard goes on to stop it. */
export const isOver = ({ status }: Release) => status !== 'active'

/** A replaced version grows no further: its ladder is over. */
function ladderState(state: RolloutFacts['state']) {
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
