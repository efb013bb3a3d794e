import { Type, type Static } from '@sinclair/typebox'
import { entity, instant, list, nonEmpty, nullable, object, enumOf } from '#foundation/core/schemas'
import { METRIC_KEYS, METRIC_UNITS } from './vocabulary.js'

const value = (description: string) =>
  nullable(
    Type.Number({ description: `${description}, in \`unit\`; null if nothing was recorded.` })
  )

const OrgMetricEntity = entity('OrgMetricEntity', 'One metric over a period.', {
  key: enumOf(METRIC_KEYS, 'Key of the metric; stable.'),
  label: nonEmpty('Display name.', 100),
  unit: enumOf(METRIC_UNITS, 'Unit of the values; `percent` is 0 to 100, `rating` 1 to 5.'),
  value: value('Value over the period'),
  previousValue: value('Value over the previous period of equal length'),
  apps: list(
    'Value for each app.',
    object('Value for one app.', {
      appId: nonEmpty('Id of the app.', 200),
      value: value('Value for the app over the period'),
    }),
    10_000
  ),
})

export const OrgMetricsEntity = entity(
  'OrgMetricsEntity',
  'Metrics of the apps that the key can see, over a period.',
  {
    from: instant('Start of the period, in UTC.'),
    to: instant('End of the period, in UTC.'),
    metrics: list('All metrics, in a fixed order.', OrgMetricEntity, 50),
  }
)
export type OrgMetricsEntity = Static<typeof OrgMetricsEntity>
