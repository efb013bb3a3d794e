import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { LADDER } from '../derive/seen.js'
import { firstShare } from '../extensions.js'
import { reviewedOf } from '../decisions/possible.js'
import type { Staging } from '../reconciler/record.js'
import { isInReview, releasesByItself } from '../reconciler/states.js'
import { stagingOf } from './submission_of.js'
import type { StoreOfRelease } from './store_state.js'

/** First shares of a version that a store has with another than its ladder begins with, 0 to 1. */
export interface OtherShare {
  /** Null for the store's own choice. */
  submitted: number | null
  wanted: number | null
  /** The facts of the case. */
  is: string
  /** The remedy without force; empty if no takeoff is requested. */
  instead: string
}

/**
 * Compares the share that a version was submitted with and the one that its ladder begins with now;
 * null if they are the same, or it is not on its way to users.
 * @param share of the ladder that is meant, by the policies that stand unless given
 */
export async function otherShareOf(
  scope: Scope,
  release: Pick<ReleaseRow, 'version' | 'createType'>,
  store: StoreOfRelease,
  share = firstShare
): Promise<OtherShare | null> {
  const { target, plan, version, facts } = store
  const wanted = plan?.wanted ?? null
  const how = plan?.submittedAs ?? null
  const state = version?.known?.state ?? 'unknown'
  // A withdrawn submission, or one that never arrived, goes out with what is submitted next.
  const isThere = wanted?.is === 'underWay' || isInReview(state) || state === 'pendingRelease'
  if (!how || !isThere || facts.rollout.state !== null) return null
  const { storeType } = target
  const shareIn = ({ phased, fraction }: Pick<Staging, 'phased' | 'fraction'>) =>
    !phased ? 1 : (fraction ?? (storeType === 'apple' ? LADDER[0] / 100 : null))
  const submitted = shareIn(how)
  const present = shareIn(await stagingOf(scope, release, store, share))
  if (submitted === present) return null
  const is = `${release.version} was submitted to begin with ${percent(submitted)}, and its ladder begins with ${percent(present)} now.`
  const canWithdraw = !facts.takeoff.pending || reviewedOf([store]).length > 0
  const instead = canWithdraw
    ? `withdraw it and submit it again, or change the ladder back`
    : `change the ladder back, or ship another version: Google Play takes nothing back that it has approved`
  const isByItself = releasesByItself(version?.known ?? null, how) === true
  return {
    submitted,
    wanted: present,
    is: isByItself ? `${is} It goes out with ${percent(submitted)} by itself.` : is,
    instead,
  }
}

const percent = (share: number | null) =>
  share === null ? 'the first share of the store' : `${Math.round(share * 1e4) / 100} %`
