import type { Scope } from '#foundation/core/scope'
import { standingOf } from '#releases/preconditions/require_not_live'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/lifecycle/open_releases'
import type { StoreOfRelease } from '../queries/store_state.js'
import { isInReview, isReleased, reachedBy } from '../reconciler/states.js'
import type { SeenVersion } from '../derive/seen.js'
import type { Wanted } from '../tables.js'

type Stores = readonly StoreOfRelease[]

/** Returns whether a store shows the decided state of a version. */
function isShown(what: Wanted['what'], state: SeenVersion['state'] | null): boolean {
  if (state === null) return false
  return what === 'released' ? isReleased(state) : reachedBy(state) === what
}

/** Returns a store with a decision under way that it does not show yet. */
export const busyOf = (stores: Stores) =>
  stores.find(({ plan, version }) => {
    const wanted = plan?.wanted
    // If the store shows the state already, only the proof is missing.
    return wanted?.status === 'underWay' && !isShown(wanted.what, version?.known?.state ?? null)
  })

/** Returns the stores that do not have the version yet, or rejected it. */
export const unsubmittedOf = (stores: Stores) =>
  stores.filter(
    ({ facts }) => !facts.submission.submitted || facts.storeReview.state === 'rejected'
  )

/** Returns the stores that approved the version and have not released it. */
export const approvedOf = (stores: Stores) => stores.filter(({ facts }) => facts.takeoff.pending)

/**
 * Returns the stores that the version can be withdrawn from. Google Play takes no approved version
 * back.
 */
export const reviewedOf = (stores: Stores) =>
  stores.filter(({ target, version }) => {
    const state = version?.known?.state
    if (state === undefined) return false
    return isInReview(state) || (state === 'pendingRelease' && target.storeType === 'apple')
  })

/**
 * Returns the actions that are possible in the stores of a release before it is out, as a 409 lists
 * them.
 */
export function possibleIn(
  release: Pick<Release, 'status' | 'kickedOffAt'>,
  stores: Stores
): string[] {
  if (busyOf(stores)) return []
  const possible = reviewedOf(stores).length > 0 ? ['developerReject'] : []
  if (!isOpen(release)) return possible
  if (approvedOf(stores).length > 0) possible.unshift('takeOff')
  const open = unsubmittedOf(stores)
  const hasBuilds = open.every(({ plan }) => (plan?.buildId ?? null) !== null)
  const canSubmit = release.kickedOffAt !== null && open.length > 0 && hasBuilds
  return canSubmit ? ['submit', ...possible] : possible
}

/**
 * Returns the members of a 409 about the stores of a release: its status, and the actions that the
 * release and its stores allow.
 */
export async function standingIn(scope: Scope, release: Release, stores: Stores) {
  const { currentStatus, allowedActions } = await standingOf(scope, release)
  return { currentStatus, allowedActions: [...allowedActions, ...possibleIn(release, stores)] }
}
