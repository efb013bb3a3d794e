import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { refuse } from '#foundation/core/problems/problem'
import { requireLevel } from '../bucket_levels.js'
import { findBucket } from '../queries/find_bucket.js'
import { isNewer } from './is_newer.js'
import { latestBuild } from './latest_build.js'
import { downloadEntities, downloadKeys, listDownloads } from './queries.js'
import type { LatestQuery, ListDownloadsQuery } from './validators.js'

export class TestersController {
  async latest({ scope, params, query, origin }: Call<undefined, LatestQuery>) {
    const bucket = await findBucket(scope, params.appId, params.bucketId)
    const { bundleId = null, version = null, buildNumber = null } = query
    const { baseUrl } = origin
    const build = await latestBuild(scope, bucket, { bundleId, device: null, baseUrl })
    if (!build) throw refuse('not_found')
    return ok({ updateAvailable: isNewer(build, { version, buildNumber }), build })
  }

  async downloads({ scope, params, query }: Call<undefined, ListDownloadsQuery>) {
    const bucket = await findBucket(scope, params.appId, params.bucketId)
    requireLevel(scope, bucket, 'admin')
    return page({
      cursors,
      path: `/app/${params.appId}/bucket/${params.bucketId}/downloads`,
      query,
      fetch: (request) => listDownloads(scope, bucket.id, query, request),
      keys: downloadKeys,
      transform: (downloads) => downloadEntities(scope, downloads),
    })
  }
}
