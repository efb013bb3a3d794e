import { Type } from '@sinclair/typebox'
import { named } from '#foundation/core/schemas'

export const FeatureReadinessReleaseStepData = named(
  'FeatureReadinessReleaseStepData',
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    ready: Type.Integer({ minimum: 0 }),
    notReady: Type.Integer({ minimum: 0 }),
    ignored: Type.Integer({ minimum: 0 }),
  })
)
