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
      'What changed from one build of an app to another, or since the version that users have. Takes `buildId` or `releaseId`; a build by its id has to be in a bucket that the asker sees.',
    access: read,
    query: compareQuery,
    answers: {
      200: { description: 'What changed.', schema: BuildComparison, example: exampleComparison },
    },
    handle: (call) => comparisons.show(call),
  }),
]
