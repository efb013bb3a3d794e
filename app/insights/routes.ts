import vine from '@vinejs/vine'
import { operation, read } from '#foundation/api/operation/declaration'
import { dateTime, repeatable, says } from '#foundation/api/operation/input'
import { MetricsController } from './controllers/metrics_controller.js'
import { exampleMetrics } from './examples.js'
import { OrgMetricsEntity } from './entities.js'

const metrics = new MetricsController()

export const operations = [
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
