import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { BuildComparison } from './entities.js'
import { exampleComparison } from './examples.js'
import { compareQuery } from './validators/compare_query.js'

const comparisons = lazyController(
  async () => new (await import('./controllers/comparison_controller.js')).ComparisonController()
)

export const operations = [
  operation({
    id: 'compareBuilds',
    method: 'GET',
    path: '/app/{appId}/buildComparison',
    tag: 'Distribution buckets',
    summary: 'Compare two builds',
    description:
      'What changed from one build of an app to another, or since the version that users have: permissions, entitlements, exported components, frameworks and libraries, systems, sizes. Takes `buildId` or `releaseId`. Files are read in buckets; of builds that older versions read, `notCompared` says what is not known. A build by its id needs a bucket that the asker sees; that of a release does not.',
    access: read,
    query: compareQuery,
    answers: {
      200: { description: 'What changed.', schema: BuildComparison, example: exampleComparison },
    },
    handle: (call) => comparisons.show(call),
  }),
]
