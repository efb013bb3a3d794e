import { APP } from '#apps/examples'
import type { OrgMetricsEntity } from './entities.js'
import { METRICS, type MetricKey } from './vocabulary.js'

const metric = (key: MetricKey, value: number | null, previousValue: number | null) => ({
  key,
  ...METRICS[key],
  value,
  previousValue,
  apps: [{ appId: APP.id, value }],
})

/** The metrics of the 90 days before the release. */
export const exampleMetrics: OrgMetricsEntity = {
  from: '2026-08-18T09:00:00.000Z',
  to: '2026-11-16T09:00:00.000Z',
  metrics: [
    metric('releasesCompleted', 6, 5),
    metric('leadTimeKickoffToRelease', 8.5, 11),
    metric('timeInReview', 19.2, 23.6),
    metric('averageRating', null, null),
  ],
}
