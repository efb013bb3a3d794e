import vine from '@vinejs/vine'
import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { dateTime, repeatable, says } from '#foundation/api/operation/input'
import { exampleMetrics, exampleWhereIs } from './examples.js'
import { OrgMetricsEntity } from './entities.js'
import { whereIsValidator } from './validators.js'
import { WhereIsEntity } from './where_is_entities.js'

const metrics = lazyController(
  async () => new (await import('./controllers/metrics_controller.js')).MetricsController()
)

export const operations = [
  operation({
    id: 'whereIs',
    method: 'GET',
    path: '/app/{appId}/whereIs',
    tag: 'App',
    summary: 'Find where a change is',
    description:
      'Which releases and builds have a commit, a pull request or a ticket, since when, in the app and the others of its group. It is what was last seen of repositories, trackers and builds; nobody is asked for it now. A change that nobody has seen is 404.',
    beyond: true,
    access: read,
    query: whereIsValidator,
    answers: {
      200: { description: 'Where it is.', schema: WhereIsEntity, example: exampleWhereIs },
    },
    handle: (call) => metrics.whereIs(call),
  }),
  operation({
    id: 'getOrganizationMetrics',
    method: 'GET',
    path: '/org/{orgId}/metrics',
    tag: 'Organization',
    summary: 'Get organization metrics',
    description:
      'Metrics of the apps the key can see, by default of the last 90 days, with those of the equally long period before. Without data a value is null.',
    access: read,
    query: vine.create({
      from: dateTime()
        .use(says('Begin of the period; 90 days before its end by default.'))
        .optional(),
      to: dateTime().use(says('End of the period; now by default.')).optional(),
      appId: repeatable(100).use(says('Only of these apps; may be repeated.')).optional(),
    }),
    answers: {
      200: { description: 'The metrics.', schema: OrgMetricsEntity, example: exampleMetrics },
    },
    handle: (call) => metrics.show(call),
  }),
]
