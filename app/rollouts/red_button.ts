import type { ReleaseRow } from '#releases/queries/read_release'
import type { RolloutEntity, RolloutInStore } from './rollout_entity.js'

/*
 * When the red button of a release is offered. The pages and the chat follow the same rule.
 */

const isHalted = ({ phased }: RolloutInStore) =>
  phased.status === 'halted' || phased.status === 'paused'

/** Commands that let a stopped rollout go on. */
const GOES_ON: ReadonlySet<string> = new Set(['resume', 'complete', 'set'])

/** Returns whether a stopped rollout is asked to go on: it may do so before the store shows it. */
export const isAskedToGoOn = (store: RolloutInStore) =>
  isHalted(store) && store.command !== null && GOES_ON.has(store.command.what)

export const isRolling = (store: RolloutInStore) =>
  store.phased.status === 'active' || isAskedToGoOn(store)
export const isStopped = (store: RolloutInStore) => isHalted(store) && !isAskedToGoOn(store)
/** Returns whether the version is not in the store any more. */
const isGone = ({ observed }: RolloutInStore) =>
  observed?.state === 'replaced' || observed?.state === 'removed'
/** Returns whether all users can get the version. */
export const isWhole = (store: RolloutInStore) =>
  store.phased.status === 'completed' && !isGone(store)
const isToStop = ({ command }: RolloutInStore) =>
  command?.what === 'halt' || command?.what === 'pause'
/** Google Play can also stop a version that all users can get. */
export const isAskedToStop = (store: RolloutInStore) =>
  (isRolling(store) || isWhole(store)) && isToStop(store)

/**
 * Returns whether a rollout was stopped rather than paused. The store does not tell: the App Store
 * pauses to stop, and Google Play halts to pause. So it depends on how the rollout was stopped.
 */
export const isStop = ({ stopped }: RolloutInStore) =>
  stopped?.how === 'redButton' || stopped?.how === 'guard'

/**
 * Returns whether it was stopped before any user had it: the stop is carried out once it comes out.
 */
export const isStoppedBefore = (store: RolloutInStore) =>
  store.phased.status === 'notStarted' && isToStop(store)

/** Returns whether a store has not confirmed a stop yet. */
const isStopAsked = (store: RolloutInStore) =>
  isStop(store) && (isAskedToStop(store) || isStoppedBefore(store))

/** Returns whether the red button can stop something in a store that is not stopped yet. */
export const canBeStopped = (store: RolloutInStore) =>
  store.whyNotStoppable === null && !isStopAsked(store) && !(isStop(store) && isStopped(store))

/** Returns the stores in which the version rolls out, is asked to stop, or is stopped. */
export const liveIn = (rollout: RolloutEntity | null) =>
  (rollout?.stores ?? []).filter(
    (store) => isRolling(store) || isStopped(store) || isAskedToStop(store)
  )

/** The red button of a release, and the stores that it is about. */
interface RedButton {
  /**
   * `ready` while a store can stop anything, `asking` until every store has confirmed the stop, then
   * `stopped`; `idle` if a press only pauses the automations of an open release and opens an issue.
   */
  state: 'ready' | 'asking' | 'stopped' | 'idle' | 'none'
  stores: readonly RolloutInStore[]
}

/**
 * Returns the red button of a release. It is offered if it is `ready` or `idle`.
 * @param release null if only what its stores can stop matters
 */
export function redButtonIn(
  rollout: RolloutEntity | null,
  release: Pick<ReleaseRow, 'status' | 'automationsPaused'> | null
): RedButton {
  const all = rollout?.stores ?? []
  const toStop = all.filter(canBeStopped)
  if (toStop.length > 0) return { state: 'ready', stores: toStop }
  const asked = all.filter(isStopAsked)
  if (asked.length > 0) return { state: 'asking', stores: asked }
  const isUnfinished = release?.status === 'upcoming' || release?.status === 'active'
  const live = liveIn(rollout).filter(isStop)
  // While its automations run, a press still pauses them.
  if (live.length > 0 && !(isUnfinished && !release.automationsPaused)) {
    return { state: 'stopped', stores: live }
  }
  return { state: isUnfinished ? 'idle' : 'none', stores: [] }
}

/** Phases in which no store has a version to roll out. */
const BEFORE_STORES: ReadonlySet<string> = new Set(['upcoming', 'kickedOff', 'readyToSubmit'])

/** Returns whether no store has a version of a release to roll out in a phase. */
export const isBeforeStores = (phase: string) => BEFORE_STORES.has(phase)
