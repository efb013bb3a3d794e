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
      'The newest build whose time is not over, nor that of its provisioning profile, of a bundle id where one is given, and whether it is newer than the one that is named. One that phones install goes before bundles for a store and files that are no app. For apps, which have no key, `GET /install/{installToken}/update` answers the same.',
    access: read,
    query: latestValidator,
    answers: {
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
      'A page of the downloads of artifacts, by install links and with API keys, newest first; a device that asked again within the hour counts once. Needs ManageBuckets, or the level admin in the bucket.',
    access: actionsOrOwner('ManageBuckets'),
    query: listDownloadsValidator,
    answers: {
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
