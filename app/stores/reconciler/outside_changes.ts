import type { SeenRollout, SeenVersion } from '../derive/seen.js'
import type { RolloutChange, VersionRecord, Wanted } from './record.js'
import {
  isEditable,
  isForUsers,
  isOver,
  isReached,
  isReleased,
  reachedBy,
  releasesByItself,
} from './states.js'

/** A change of a version or its rollout that was made outside of Tarmac. */
export interface OutsideChange {
  wanted?: Wanted['what']
  rollout?: RolloutChange
}

/** The decisions that stand for a version. */
type Standing = Pick<VersionRecord, 'wanted' | 'rollout'>

/**
 * Returns the changes made outside of Tarmac between two trustworthy observations. While a decision
 * is under way, its own call may have made the change, so no change is returned. Pure.
 */
export function findOutsideChanges(
  standing: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): OutsideChange[] {
  if (after.state === 'unknown' || !isForUsers(after)) return []
  return [...stageChanges(standing, before, after), ...rolloutChanges(standing, before, after)]
}

function stageChanges(
  { wanted, rollout }: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): OutsideChange[] {
  const was = before === null ? null : stageOf(before.state)
  // Google Play turns a withdrawn version into a draft.
  const isDraftAgain = was === 'submitted' && after.state === 'preparing'
  const reached = isDraftAgain ? 'withdrawn' : reachedBy(after.state)
  // A decision that was stopped before it took effect no longer counts.
  const isWanted = wanted?.what === reached && wanted.stoppedAt === undefined
  if (reached === null || was === reached || isWanted) return []
  // The call of a decision under way may have made the change.
  if (wanted?.status === 'underWay' || rollout?.status === 'underWay') return []
  const isReleasedByStore = reached === 'released' && mayReleaseByItself(wanted, before, after)
  if (!isReleasedByStore) return [{ wanted: reached }]
  // Its review was not observed: somebody submitted the version, and the store released it.
  const isUnobservedReview =
    before !== null && isEditable(before.state) && wanted?.what === 'withdrawn'
  return isUnobservedReview ? [{ wanted: 'submitted' }] : []
}

/** Returns the stage that a state stands for; a released version stays released. */
function stageOf(state: SeenVersion['state']): Wanted['what'] | null {
  if (state === 'unknown' || state === 'processing') return null
  return isReleased(state) ? 'released' : reachedBy(state)
}

/** Returns whether the store may have released an approved version by itself. */
const mayReleaseByItself = (
  wanted: Wanted | null,
  before: SeenVersion | null,
  { release }: SeenVersion
) => releasesByItself({ state: before?.state ?? 'unknown', release }, wanted?.how ?? null) !== false

function rolloutChanges(
  { wanted, rollout: decided }: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): OutsideChange[] {
  const [was, is] = [before?.rollout ?? null, after.rollout]
  if (is === null || was === null || decided?.status === 'underWay') return []
  // Another version that replaces this one ends the rollout; nobody completed it.
  if (isOver(after.state)) return []
  const isExpected = wanted?.what === 'released' || mayReleaseByItself(wanted, before, after)
  if (isExpected && isReleaseToAll(was, is)) return []
  const change = changeOf(was, is)
  const isDecided = decided !== null && decided.stoppedAt === undefined
  if (change === null || (isDecided && isReached(decided.to, is))) return []
  return [{ rollout: change }]
}

/**
 * Returns whether the rollout is complete because the version was released to all users at once. If
 * the store showed a smaller share before, somebody completed it.
 */
function isReleaseToAll(was: SeenRollout, is: SeenRollout): boolean {
  const isPartialBefore = was.percentage > 0 && was.percentage < 100
  return was.state === 'inactive' && is.state === 'complete' && !isPartialBefore
}

/** Returns the change that leads from one rollout to another; null if it happens by itself. */
function changeOf(was: SeenRollout, is: SeenRollout): RolloutChange | null {
  if (was.state !== is.state) {
    if (is.state === 'paused') return { action: 'pause' }
    if (is.state === 'halted') return { action: 'halt' }
    if (is.state === 'active') return was.state === 'inactive' ? null : { action: 'resume' }
    // An active phased release completes by itself on its last day; one that was paused does not.
    const isByItself = is.day !== null && was.state === 'active'
    return is.state === 'complete' && !isByItself ? { action: 'complete' } : null
  }
  // The store raises a phased release by itself. A percentage without days is set by a person.
  const isSet = is.state === 'active' && is.day === null && was.percentage !== is.percentage
  return isSet ? { action: 'set', percentage: is.percentage } : null
}
