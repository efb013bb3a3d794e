import { Type, type Static } from '@sinclair/typebox'
import { instant, named, nullable, words } from '#foundation/core/schemas'
import { METRIC_KEYS, METRIC_UNITS } from './vocabulary.js'

export const OrgMetricEntity = named(
  'OrgMetricEntity',
  Type.Object({
    key: words(METRIC_KEYS),
    label: Type.String(),
    unit: words(METRIC_UNITS),
    /** null where nothing was recorded, never 0 in its place. */
    value: nullable(Type.Number()),
    previousValue: nullable(Type.Number()),
    apps: Type.Array(Type.Object({ appId: Type.String(), value: nullable(Type.Number()) })),
  })
)

export const OrgMetricsEntity = named(
  'OrgMetricsEntity',
  Type.Object({ from: instant(), to: instant(), metrics: Type.Array(OrgMetricEntity) })
)
export type OrgMetricsEntity = Static<typeof OrgMetricsEntity>
