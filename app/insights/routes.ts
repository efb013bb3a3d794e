import vine from '@vinejs/vine'
import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { dateTime, repeatable, describedAs } from '#foundation/api/operation/input'
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
      'Returns which releases and builds contain a commit, a pull request or a ticket, and since when, in the app and others of its group. The answer reflects the last known state of repositories, trackers and builds; no provider is called. An unknown change is 404.',
    beyond: true,
    access: read,
    query: whereIsValidator,
    responses: {
      200: { description: 'Where the change is.', schema: WhereIsEntity, example: exampleWhereIs },
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
      'Returns a page of the apps that the key can see, by app group and name, each with its current release: its steps, what holds it up, who can resolve that, and what happens next, as in `getRelease`, `listReleaseSteps` and `whyNotMoving`.',
    beyond: true,
    access: read,
    query: vine.create(pageInput),
    responses: {
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
      'Returns metrics of the apps that the key can see, by default for the last 90 days, with those of the previous period of equal length. Values without data are null.',
    access: read,
    query: vine.create({
      from: dateTime()
        .use(describedAs('Start of the period; 90 days before its end by default.'))
        .optional(),
      to: dateTime().use(describedAs('End of the period; now by default.')).optional(),
      appId: repeatable(100).use(describedAs('Only these apps; may be repeated.')).optional(),
    }),
    responses: {
      200: { description: 'The metrics.', schema: OrgMetricsEntity, example: exampleMetrics },
    },
    handle: (call) => metrics.show(call),
  }),
]
