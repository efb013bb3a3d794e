import type { Static } from '@sinclair/typebox'
import { ActorEntity, described, entity, instant, nullable, object } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import { releaseId } from '#releases/entities'
import { ADA_ACTING } from '#organizations/examples'
import { readReleaseById } from '#releases/queries/read_release'
import { AppStoreDataType } from '../entities.js'
import { memberOf, pairOf, sideOf, standingTakeoff } from './find_pair.js'
import { OTHER } from './pair_step.js'

export const ReleasePairEntity = entity('ReleasePair', 'The other release of a pair.', {
  releaseId: nullable(releaseId('Id of the release; null if the key cannot see its app.')),
  storeType: described('Vendor of its store.', AppStoreDataType),
  takenOff: nullable(
    object('Takeoff of both releases; null until decided, or if called off.', {
      by: described('Who decided the takeoff.', ActorEntity),
      at: instant('When it was decided, in UTC.'),
    })
  ),
})
export type ReleasePair = Static<typeof ReleasePairEntity>

export const examplePair: ReleasePair = {
  releaseId: 'acme-android:4.2.0',
  storeType: 'google',
  takenOff: { by: ADA_ACTING, at: '2026-11-24T09:00:00.000Z' },
}

/** Returns the other release of a pair as the requester sees it; null without a pair. */
export async function shownPair(
  scope: Scope,
  release: { id: string }
): Promise<ReleasePair | null> {
  const row = await pairOf(scope, release)
  if (!row) return null
  const storeType = OTHER[sideOf(row, release)]
  const { appId, releaseId: id } = memberOf(row, storeType)
  const takeoff = standingTakeoff(row)
  return {
    releaseId: scope.sees(appId)
      ? (await readReleaseById(scope, appId, id)).release.publicId
      : null,
    storeType,
    takenOff: takeoff && { by: takeoff.by, at: takeoff.at },
  }
}
