import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '../public_release_id.js'
import type { ReleaseStatus } from '../vocabulary.js'

export interface CurrentRelease {
  currentRelease: { id: string; version: string; status: ReleaseStatus } | null
  /** The highest version that was released to users. */
  liveVersion: string | null
}

interface Row {
  app_id: string
  version: string
  status: 'active' | 'completed'
}

/** Of the active releases those of the train first, the lowest of them; of the completed the highest. */
const RANK = `row_number() over (
  partition by app_id, status
  order by case when status = 'active' and create_type = 'release' then 0 else 1 end,
    case when status = 'active' then version_major else -version_major end,
    case when status = 'active' then version_minor else -version_minor end,
    case when status = 'active' then version_patch else -version_patch end
) as place`

/**
 * Per app the release the train is at (the lowest active version of the train, else any
 * active one) and the version that users have; one query for all of them.
 */
export async function currentReleases(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, CurrentRelease>> {
  const ranked = scope
    .table('releases')
    .whereIn('app_id', [...appIds])
    .whereIn('status', ['active', 'completed'])
    .select('app_id', 'version', 'status', scope.client.raw(RANK))
    .as('ranked')
  const rows: Row[] = await scope.client
    .from(ranked)
    .where('place', 1)
    .select('app_id', 'version', 'status')
  const found = new Map<string, CurrentRelease>()
  for (const { app_id: appId, version, status } of rows) {
    const known = found.get(appId) ?? { currentRelease: null, liveVersion: null }
    if (status === 'active')
      known.currentRelease = { id: publicReleaseId({ appId, version }), version, status }
    else known.liveVersion = version
    found.set(appId, known)
  }
  return found
}
