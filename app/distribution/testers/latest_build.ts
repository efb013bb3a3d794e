import type { Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from '../entities.js'
import type Bucket from '../models/bucket.js'
import { buildEntity, listBuilds } from '../queries/build_entities.js'

/** How many of the newest builds are looked at for one of a bundle id. */
export const LOOKED_AT = 200

/**
 * The newest build of a bucket that can be installed, or the newest of a bundle id among the
 * last 200; null where there is none.
 * @param baseUrl the address the asker reaches the service at
 */
export async function latestBuild(
  scope: Scope,
  bucket: Bucket,
  bundleId: string | null,
  baseUrl: string
): Promise<BuildDistroBuildEntity | null> {
  const limit = bundleId === null ? 1 : LOOKED_AT
  const builds = await listBuilds(scope, bucket, { status: 'active' }, { limit, after: null })
  const latest =
    bundleId === null
      ? builds[0]
      : builds.find(({ metadata }) => metadata !== null && metadata.bundleId === bundleId)
  return latest ? buildEntity(scope, latest, baseUrl) : null
}
