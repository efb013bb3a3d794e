import type { Scope } from '#foundation/core/scope'
import type { BuildDistroBuildEntity } from '../entities.js'
import { hasEnded } from '../install_pages/offer.js'
import type Bucket from '../models/bucket.js'
import { buildEntity, listBuilds } from '../queries/build_entities.js'

/** How many of the newest builds are looked at for one that fits. */
const LOOKED_AT = 200

/**
 * The newest build of a bucket whose time is not over, nor that of its profile: of a bundle id
 * where one is given. It is looked for among the last 200; null where there is none.
 * @param baseUrl the address the asker reaches the service at
 */
export async function latestBuild(
  scope: Scope,
  bucket: Bucket,
  bundleId: string | null,
  baseUrl: string
): Promise<BuildDistroBuildEntity | null> {
  // Nearly always it is the newest: more are read only where it is not.
  for (const limit of bundleId === null ? [1, LOOKED_AT] : [LOOKED_AT]) {
    const builds = await listBuilds(scope, bucket, { status: 'active' }, { limit, after: null })
    const latest = builds.find(
      (build) =>
        !hasEnded(build, scope.now) && (bundleId === null || build.metadata?.bundleId === bundleId)
    )
    if (latest) return buildEntity(scope, latest, baseUrl)
    if (builds.length < limit) return null
  }
  return null
}
