import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { storesOfRelease } from '#stores/queries/store_state'
import { otherShareOf, type OtherShare } from '#stores/queries/submitted_share'
import type { StoreTarget } from '#stores/queries/store_targets'
import { firstShareBy, type RolloutPolicy } from '../policy/policy.js'

/** A release that was submitted with another first share than that of the policy. */
export interface SubmittedBefore extends OtherShare {
  release: Release
  target: StoreTarget
}

/** Returns the policy of a destination; null if people drive its rollouts. */
export type PolicyOf = (destinationId: string | null) => RolloutPolicy | null

/** Returns the releases of an app that go out as they were submitted, whatever policies say now. */
export async function submittedBefore(
  scope: Scope,
  appId: string,
  policyOf: PolicyOf
): Promise<SubmittedBefore[]> {
  const found: SubmittedBefore[] = []
  await forEachOpenRelease(scope, appId, async (release) => {
    for (const store of await storesOfRelease(scope, release)) {
      const { target } = store
      const other = await otherShareOf(scope, release, store, async (_, place, kind) =>
        firstShareBy(policyOf(place.destinationId), place, kind)
      )
      if (other) found.push({ ...other, release, target })
    }
  })
  return found
}

/** Returns the difference and the remedy, as one message. */
export const inWords = ({ is, instead }: OtherShare) =>
  `${is} ${instead[0].toUpperCase()}${instead.slice(1)}.`
