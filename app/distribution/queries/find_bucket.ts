import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { levelIn } from '../bucket_levels.js'
import Bucket from '../models/bucket.js'

/** Returns the buckets of an app that the requester may see, in their order. */
export async function visibleBuckets(scope: Scope, appId: string): Promise<Bucket[]> {
  const buckets = await scope
    .query(Bucket)
    .where('appId', appId)
    .orderBy([{ column: 'position' }, { column: 'createdAt' }, { column: 'id' }])
  return buckets.filter((bucket) => levelIn(scope, bucket) !== null)
}

/** @throws not_found when the app has no such bucket, or the requester may not see it */
export async function findBucket(scope: Scope, appId: string, bucketId: string): Promise<Bucket> {
  const bucket = await scope.query(Bucket).where({ appId, id: bucketId }).first()
  if (!bucket || levelIn(scope, bucket) === null) throw refuse('not_found')
  return bucket
}
