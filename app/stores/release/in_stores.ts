import type { Scope } from '#foundation/core/scope'
import type { InStore } from '#releases/ports'
import { pendingCallSince } from '../queries/store_record.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'
import { releasesByItself } from '../reconciler/states.js'

const NAMES = { apple: 'The App Store', google: 'Google Play' } as const

/**
 * Returns the stores that have a version of a release, or are being called for it, each with its
 * state.
 */
export async function inStores(
  scope: Scope,
  release: { id: string; appId: string; version: string }
): Promise<InStore[]> {
  const states: InStore[] = []
  for (const store of await storesOfRelease(scope, release)) {
    const is = standing(store) ?? (await asked(scope, release, store))
    if (!is) continue
    const { percentage } = store.facts.rollout
    const { destinationId } = store
    states.push({ destinationId, percentage, ...is, outlook: outlook(store, is) })
  }
  return states
}

type Standing = Pick<InStore, 'state' | 'since'>

/**
 * Returns the state `asked` if a decision is under way, or a call of an ended one may still reach
 * the store.
 */
async function asked(
  scope: Scope,
  { version }: { version: string },
  { target, plan }: StoreOfRelease
): Promise<Standing | null> {
  const decided = [plan?.wanted, plan?.rollout].find((each) => each?.status === 'underWay')
  const since = decided?.at ?? (await pendingCallSince(scope, target, version))
  return since ? { state: 'asked', since } : null
}

function standing({ facts, version }: StoreOfRelease): Standing | null {
  const { rollout, takeoff, storeReview, dates } = facts
  // A version that was removed from sale or replaced is no longer offered.
  const isRemoved = version?.known?.state === 'removed'
  if (rollout.state !== null && rollout.state !== 'replaced' && !isRemoved) {
    return { state: rollout.state, since: dates.releasedAt }
  }
  if (takeoff.pending) return { state: 'approved', since: dates.approvedAt }
  if (storeReview.state === 'waiting' || storeReview.state === 'inReview') {
    return { state: 'inReview', since: dates.submittedAt }
  }
  return null
}

/** Describes what a store will do with a version by itself. */
function outlook({ target, version, plan, facts }: StoreOfRelease, { state }: Standing): string {
  const isApple = target.storeType === 'apple'
  const name = NAMES[target.storeType]
  const { percentage } = facts.rollout
  // Google Play publishes approved versions unless managed publishing holds them.
  const isByItself = releasesByItself(version?.known ?? null, plan?.submittedAs ?? null) ?? !isApple
  switch (state) {
    case 'asked':
      return `A call to ${name} may be on its way; its outcome is seen later.`
    case 'inReview':
      return isByItself
        ? `${name} continues its review, and releases it to users automatically once it is approved, unless it is withdrawn.`
        : `${name} continues its review, unless it is withdrawn.`
    case 'approved':
      return isByItself
        ? `${name} releases it to users automatically${isApple ? ', unless it is withdrawn' : ''}.`
        : `${name} keeps it until somebody releases it there.`
    case 'active':
      return isApple
        ? 'Its phased release in the App Store continues automatically, to 100 % after seven days: the red button pauses it.'
        : `It stays at ${percentage} % in Google Play, until somebody changes it there: the red button halts it.`
    case 'paused':
    case 'halted':
      return isApple
        ? `Its phased release stays paused at ${percentage} %; the App Store resumes it automatically after 30 days of pause in all.`
        : `It stays halted at ${percentage} % in Google Play; users who have it keep it.`
    case 'completed':
      return `${name} offers it to all users.`
  }
}
