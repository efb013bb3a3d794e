import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import type { RolloutChange, Wanted, WantedRollout } from '../tables.js'
import type { SeenRollout, SeenVersion } from './seen.js'

/** What a release wants of one store. */
interface Plan {
  wanted: Pick<Wanted, 'what' | 'is'> | null
  rollout: Pick<WantedRollout, 'to' | 'is'> | null
}

/** What a look shows that was wanted, or that somebody did in the store's own console. */
interface Adoption {
  /** What was wanted has come, whoever's call did it. */
  done?: 'wanted' | 'rollout'
  wanted?: Wanted['what']
  rollout?: RolloutChange
}

const SUBMITTED: readonly StoreVersionState[] = ['waitingForReview', 'inReview']
const RELEASED: readonly StoreVersionState[] = ['rolledOutPartially', 'live']

/** What the store itself does after an approval, or a review: nobody's wish changes by it. */
type Known = Pick<SeenVersion, 'state' | 'rollout' | 'release'> | null

/**
 * What follows from a look for what is wanted. While a call is under way that which was wanted
 * may have come by it; else what differs was done by a person in the console, and is wanted from
 * now on. Pure.
 */
export function adoptionOf(plan: Plan, before: Known, after: Known): Adoption[] {
  if (after === null || after.state === 'unknown') return []
  return [...ofVersion(plan, before, after), ...ofRollout(plan, before, after)]
}

function ofVersion({ wanted }: Plan, before: Known, after: NonNullable<Known>): Adoption[] {
  const state = after.state as StoreVersionState
  const reached = reachedOf(state)
  const was = before === null || before.state === 'unknown' ? null : reachedOf(before.state)
  if (reached === null || was === reached) {
    return reached !== null && wanted?.what === reached && wanted.is !== 'done'
      ? [{ done: 'wanted' }]
      : []
  }
  if (wanted?.what === reached) return wanted.is === 'done' ? [] : [{ done: 'wanted' }]
  // Somebody's call is on its way: it looks for itself what came between.
  if (wanted?.is === 'underWay') return []
  return reached === 'released' && isByItself(after) ? [] : [{ wanted: reached }]
}

/** What is approved goes out by itself, unless it is released by hand. */
function isByItself({ release }: NonNullable<Known>): boolean {
  return release !== null && release.method !== 'manual'
}

/** What somebody must have wanted for a version to be in a state; null where the store decides. */
export function reachedOf(state: StoreVersionState): Wanted['what'] | null {
  if (SUBMITTED.includes(state)) return 'submitted'
  if (state === 'developerRejected') return 'withdrawn'
  return RELEASED.includes(state) ? 'released' : null
}

function ofRollout(
  { wanted, rollout: plan }: Plan,
  before: Known,
  after: NonNullable<Known>
): Adoption[] {
  const [was, is] = [before?.rollout ?? null, after.rollout]
  if (is === null) return []
  if (plan !== null && plan.is !== 'done' && isReached(plan.to, is)) return [{ done: 'rollout' }]
  if (plan?.is === 'underWay' || was === null) return []
  const isExpected = wanted?.what === 'released' || isByItself(after)
  if (isExpected && isToAllAtOnce(was, is)) return []
  const change = changeOf(was, is)
  if (change === null) return []
  return plan !== null && isReached(plan.to, is) ? [] : [{ rollout: change }]
}

/** Whether a rollout stands where a change wants it. */
export function isReached(
  to: RolloutChange,
  is: Pick<SeenRollout, 'state' | 'percentage'>
): boolean {
  switch (to.action) {
    case 'pause':
      return is.state === 'paused'
    case 'halt':
      // A phased release is halted by pausing it.
      return is.state === 'halted' || is.state === 'paused'
    case 'resume':
      return is.state === 'active' || is.state === 'complete'
    case 'complete':
      return is.state === 'complete'
    case 'set':
      return is.state !== 'halted' && is.percentage === to.percentage
  }
}

/**
 * Whether a release alone makes a rollout complete: it begins with all users, as far as the store
 * said before. One that was to begin with fewer is completed by somebody.
 */
function isToAllAtOnce(was: SeenRollout, is: SeenRollout): boolean {
  const isShare = was.percentage > 0 && was.percentage < 100
  return was.state === 'inactive' && is.state === 'complete' && !isShare
}

/** What a person did for a rollout to go from one state to another; null where it goes on itself. */
function changeOf(was: SeenRollout, is: SeenRollout): RolloutChange | null {
  if (was.state !== is.state) {
    if (is.state === 'paused') return { action: 'pause' }
    if (is.state === 'halted') return { action: 'halt' }
    if (is.state === 'active') return was.state === 'inactive' ? null : { action: 'resume' }
    // The last day of a ladder of days comes by itself.
    return is.state === 'complete' && is.day === null ? { action: 'complete' } : null
  }
  // A ladder of days is climbed by the store, a percentage by whoever sets it.
  const isSet = is.state === 'active' && is.day === null && was.percentage !== is.percentage
  return isSet ? { action: 'set', percentage: is.percentage } : null
}
