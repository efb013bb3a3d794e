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
    beyond: true,
    summary: 'Compare two builds',
    description:
      'Returns what changed from one build of an app to another, or since the live version. Takes `buildId` or `releaseId`; a build given by id must be in a bucket that the key can see.',
    access: read,
    query: compareQuery,
    responses: {
      200: { description: 'The comparison.', schema: BuildComparison, example: exampleComparison },
    },
    handle: (call) => comparisons.show(call),
  }),
]
