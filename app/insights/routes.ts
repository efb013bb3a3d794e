import vine from '@vinejs/vine'
import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { dateTime, repeatable, says } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { exampleMetrics, exampleOverview, exampleWhereIs } from './examples.js'
import { OrgMetricsEntity } from './entities.js'
import { OverviewPage } from './overview_entities.js'
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
    id: 'getOrganizationOverview',
    method: 'GET',
    path: '/org/{orgId}/overview',
    tag: 'Organization',
    summary: 'Get an overview of apps and their releases',
    description:
      'A page of the apps that the key can see, by app group and name. Each with the release that people look at: its steps, what holds it, who can meet that, and what happens next, as `getRelease`, `listReleaseSteps` and `whyNotMoving` tell them.',
    beyond: true,
    access: read,
    query: vine.create(pageInput),
    answers: {
      200: {
        description: 'A page of apps.',
        schema: OverviewPage,
        example: exampleOverview,
      },
    },
    handle: (call) => metrics.overview(call),
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
