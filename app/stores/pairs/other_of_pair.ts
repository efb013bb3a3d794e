import type { Scope } from '#foundation/core/scope'
import { readReleaseById, type ReleaseRow } from '#releases/queries/read_release'
import { inStores } from '../release/in_stores.js'
import { memberOf, pairOf, sideOf } from './find_pair.js'
import { nameOfSide } from './pair_names.js'
import { OTHER } from './pair_step.js'

/** The other release of a pair, with what the requester may know of it. */
export interface OtherOfPair {
  other: ReleaseRow
  /** Its public id if the requester sees its app, else a description. */
  name: string
  /** True if the requester sees its app. */
  isVisible: boolean
}

/** Returns the other release of a pair; null without one, or if no store has a version of it. */
export async function otherInStore(
  scope: Scope,
  release: { id: string }
): Promise<OtherOfPair | null> {
  const row = await pairOf(scope, release)
  if (!row) return null
  const side = OTHER[sideOf(row, release)]
  const { appId, releaseId } = memberOf(row, side)
  const { release: other } = await readReleaseById(scope, appId, releaseId)
  if ((await inStores(scope, other)).length === 0) return null
  const isVisible = scope.sees(appId)
  return { other, name: isVisible ? other.publicId : nameOfSide(side), isVisible }
}
