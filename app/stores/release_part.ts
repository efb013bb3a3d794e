import { Type } from '@sinclair/typebox'
import type { ReleasePart } from '#releases/parts'
import { AppStoreVersionData, StoreReleaseStepData } from './entities.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    appStoreVersions: never[]
  }
}

const STORE_STEPS = new Set(['submission', 'storeReview', 'takeoff', 'rollout'])

/** Of its stores a release shows nothing until versions in stores are recorded. */
export const releasePart: ReleasePart = {
  name: 'stores',
  entity: {
    schema: { appStoreVersions: Type.Array(AppStoreVersionData) },
    of: async () => new Map(),
    none: { appStoreVersions: [] },
  },
  steps: {
    data: {
      submission: StoreReleaseStepData,
      storeReview: StoreReleaseStepData,
      takeoff: StoreReleaseStepData,
      rollout: StoreReleaseStepData,
    },
    of: async () => ({
      dataOf: ({ type }) =>
        STORE_STEPS.has(type) ? { appStoreVersion: null, selectedBuild: null } : undefined,
    }),
  },
}
