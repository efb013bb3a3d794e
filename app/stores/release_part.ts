import { list } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { AppStoreVersionData, StoreReleaseStepData } from './entities.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    appStoreVersions: never[]
  }
}

const STORE_STEPS = new Set(['submission', 'storeReview', 'takeoff', 'rollout'])

const NOTHING = { appStoreVersion: null, selectedBuild: null }

/** Of its stores a release shows nothing until versions in stores are recorded. */
export const releasePart: ReleasePart = {
  name: 'stores',
  entity: {
    schema: {
      appStoreVersions: list('What each store says of the version.', AppStoreVersionData, 100),
    },
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
      dataOf: ({ type }) => (STORE_STEPS.has(type) ? NOTHING : undefined),
    }),
    example: { data: { submission: NOTHING } },
  },
}
