import { actionsOrOwner, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { BuildDownloadEntity, LatestBuildEntity } from './entities.js'
import { exampleDownload, exampleLatest } from './examples.js'
import { latestValidator, listDownloadsValidator } from './validators.js'

const testers = lazyController(
  async () => new (await import('./controller.js')).TestersController()
)
const shared = { tag: 'Distribution buckets', beyond: true, method: 'GET' } as const

export const operations = [
  operation({
    ...shared,
    id: 'getLatestBucketBuild',
    path: '/app/{appId}/bucket/{bucketId}/latestBuild',
    summary: 'Get the newest build of a bucket',
    description:
      'Returns the newest build that is not expired (nor its provisioning profile), and whether it is newer than the given one; `bundleId` restricts it to one app. Builds that phones can install are preferred to store bundles and files that are not apps. Apps, which have no key, use `GET /install/{installToken}/update` instead.',
    access: read,
    query: latestValidator,
    responses: {
      200: { description: 'The build.', schema: LatestBuildEntity, example: exampleLatest },
    },
    handle: (call) => testers.latest(call),
  }),
  operation({
    ...shared,
    id: 'listBuildDownloads',
    path: '/app/{appId}/bucket/{bucketId}/downloads',
    summary: 'List who downloaded the builds of a bucket',
    description:
      'Returns a page of artifact downloads through install links and with API keys, newest first; repeated requests of a device within an hour count once. Requires ManageBuckets or the admin level in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    query: listDownloadsValidator,
    responses: {
      200: {
        description: 'A page of downloads.',
        schema: pageOf(BuildDownloadEntity),
        example: {
          data: [exampleDownload],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => testers.downloads(call),
  }),
]
