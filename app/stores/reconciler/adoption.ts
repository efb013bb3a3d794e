import type { SeenRollout, SeenVersion } from '../derive/seen.js'
import type { RolloutChange, VersionRecord, Wanted } from './record.js'
import { isForUsers, isOver, isReached, isReleased, reachedBy, releasesByItself } from './states.js'

/** A change of the version or its rollout that nobody decided here. */
export interface Adoption {
  wanted?: Wanted['what']
  rollout?: RolloutChange
}

type Standing = Pick<VersionRecord, 'wanted' | 'rollout'>

/**
 * Returns the change that somebody made outside of the service, from two trustworthy observations.
 * While a decision is under way, its own call may have made the change, and nothing is adopted.
 * Pure.
 */
export function adoptionOf(
  standing: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): Adoption[] {
  if (after.state === 'unknown' || !isForUsers(after)) return []
  return [...ofVersion(standing, before, after), ...ofRollout(standing, before, after)]
}

function ofVersion(
  { wanted, rollout }: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): Adoption[] {
  const was = before === null ? null : whatWas(before.state)
  // Google Play makes a draft of what is withdrawn.
  const isDraftAgain = was === 'submitted' && after.state === 'preparing'
  const reached = isDraftAgain ? 'withdrawn' : reachedBy(after.state)
  // A decision that was stopped before it took effect no longer counts.
  const isWanted = wanted?.what === reached && wanted.stoppedAt === undefined
  if (reached === null || was === reached || isWanted) return []
  // Our own call may have done it.
  if (wanted?.is === 'underWay' || rollout?.is === 'underWay') return []
  const isReleasedThere = reached === 'released' && isStores(wanted, before, after)
  return isReleasedThere ? [] : [{ wanted: reached }]
}

/**
 * Returns the last decided stage of a version; a released version stays released when it is served
 * again.
 */
function whatWas(state: SeenVersion['state']): Wanted['what'] | null {
  if (state === 'unknown' || state === 'processing') return null
  return isReleased(state) ? 'released' : reachedBy(state)
}

/** Returns whether the store may have released an approved version by itself. */
const isStores = (wanted: Wanted | null, before: SeenVersion | null, { release }: SeenVersion) =>
  releasesByItself({ state: before?.state ?? 'unknown', release }, wanted?.how ?? null) !== false

function ofRollout(
  { wanted, rollout: decided }: Standing,
  before: SeenVersion | null,
  after: SeenVersion
): Adoption[] {
  const [was, is] = [before?.rollout ?? null, after.rollout]
  if (is === null || was === null || decided?.is === 'underWay') return []
  // A rollout that ends as another version takes its place was completed by nobody.
  if (isOver(after.state)) return []
  const isExpected = wanted?.what === 'released' || isStores(wanted, before, after)
  if (isExpected && isToAllAtOnce(was, is)) return []
  const change = changeOf(was, is)
  const isDecided = decided !== null && decided.stoppedAt === undefined
  if (change === null || (isDecided && isReached(decided.to, is))) return []
  return [{ rollout: change }]
}

/**
 * Returns whether a release alone completes a rollout: it begins with all users, as far as the
 * store reported before. A rollout that was to begin with fewer is completed by somebody.
 */
function isToAllAtOnce(was: SeenRollout, is: SeenRollout): boolean {
  const isShare = was.percentage > 0 && was.percentage < 100
  return was.state === 'inactive' && is.state === 'complete' && !isShare
}

/** The change that leads from one rollout to another; null if it goes on by itself. */
function changeOf(was: SeenRollout, is: SeenRollout): RolloutChange | null {
  if (was.state !== is.state) {
    if (is.state === 'paused') return { action: 'pause' }
    if (is.state === 'halted') return { action: 'halt' }
    if (is.state === 'active') return was.state === 'inactive' ? null : { action: 'resume' }
    // The last day of a ladder of days comes by itself, unless it stands still.
    const isClimbed = is.day !== null && was.state === 'active'
    return is.state === 'complete' && !isClimbed ? { action: 'complete' } : null
  }
  // A ladder of days is climbed by the store, a percentage by whoever sets it.
  const isSet = is.state === 'active' && is.day === null && was.percentage !== is.percentage
  return isSet ? { action: 'set', percentage: is.percentage } : null
}
