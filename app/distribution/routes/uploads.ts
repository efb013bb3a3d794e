import { actionsOrOwner } from '#foundation/api/operation/declaration'
import { resumableOperations } from '#foundation/api/resumable/operations'
import { requireActive } from '../actions/upload_build.js'
import { requireLevel } from '../bucket_levels.js'
import { findBucket } from '../queries/find_bucket.js'
import { MAX_BUILD_BYTES } from '../vocabulary.js'

const bucketAt = ({ appId, bucketId }: Record<string, string>) =>
  `/app/${encodeURIComponent(appId)}/bucket/${encodeURIComponent(bucketId)}`

/** Operations to upload a build in several requests. */
export const operations = resumableOperations({
  name: 'BucketUpload',
  tag: 'Distribution buckets',
  what: 'a build',
  path: '/app/{appId}/bucket/{bucketId}/uploads',
  operation: 'uploadBucketBuild',
  access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
  events: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
  maxBytes: MAX_BUILD_BYTES,
  pathOf: (params) => `${bucketAt(params)}/uploads`,
  async admit(scope, { appId, bucketId }) {
    requireLevel(scope, await findBucket(scope, appId, bucketId), 'uploader')
  },
  async admitNew(scope, { appId, bucketId }) {
    requireActive(await findBucket(scope, appId, bucketId))
  },
  locationOf: (params, build) => `${bucketAt(params)}/build/${(build as { id: string }).id}`,
})
