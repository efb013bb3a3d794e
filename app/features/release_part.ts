import type { ReleasePart } from '#releases/parts'
import { FeatureReadinessReleaseStepData } from './entities.js'

const NOTHING = { total: 0, ready: 0, notReady: 0, ignored: 0 }

/** A step of feature readiness counts nothing until work items are recorded. */
export const releasePart: ReleasePart = {
  name: 'features',
  steps: {
    data: { featureReadiness: FeatureReadinessReleaseStepData },
    of: async () => ({
      dataOf: ({ type }) => (type === 'featureReadiness' ? NOTHING : undefined),
    }),
    example: { data: { featureReadiness: NOTHING } },
  },
}
