import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { LADDER } from '../derive/seen.js'
import { firstShare } from '../extensions.js'
import { reviewedOf } from '../decisions/possible.js'
import type { Staging } from '../reconciler/record.js'
import { isInReview, releasesByItself } from '../reconciler/states.js'
import { stagingOf } from './submission_of.js'
import type { StoreOfRelease } from './store_state.js'

/** The submitted first share and that of the current ladder, which differ; from 0 to 1. */
export interface OtherShare {
  /** Null for the default first share of the store. */
  submitted: number | null
  wanted: number | null
  /** The difference as a sentence. */
  is: string
  /** The alternative to force, as the end of a sentence. */
  instead: string
}

/**
 * Compares the submitted first share with that of the current ladder; null if they are equal, or if
 * no submission is under way, in review or approved.
 * @param share returns the first share of the ladder; by default that of the current policies
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
  // After a withdrawal, or if a submission never arrived, the next submission sets the share.
  const isInStore = wanted?.status === 'underWay' || isInReview(state) || state === 'pendingRelease'
  if (!how || !isInStore || facts.rollout.state !== null) return null
  const { storeType } = target
  const shareIn = ({ phased, fraction }: Pick<Staging, 'phased' | 'fraction'>) =>
    !phased ? 1 : (fraction ?? (storeType === 'apple' ? LADDER[0] / 100 : null))
  const submitted = shareIn(how)
  const present = shareIn(await stagingOf(scope, release, store, share))
  if (submitted === present) return null
  const is = `${release.version} was submitted to start at ${percent(submitted)}, but its ladder now starts at ${percent(present)}.`
  const canWithdraw = !facts.takeoff.pending || reviewedOf([store]).length > 0
  const instead = canWithdraw
    ? `withdraw it and resubmit it, or change the ladder back`
    : `change the ladder back, or ship another version: an approved version stays approved on Google Play`
  const isByItself = releasesByItself(version?.known ?? null, how) === true
  return {
    submitted,
    wanted: present,
    is: isByItself ? `${is} It goes out with ${percent(submitted)} automatically.` : is,
    instead,
  }
}

const percent = (share: number | null) =>
  share === null ? 'the first share of the store' : `${Math.round(share * 1e4) / 100} %`
