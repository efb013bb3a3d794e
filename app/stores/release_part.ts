import { list } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import type { RolloutFacts } from '#releases/engine/facts'
import {
  AppStoreVersionData,
  RolloutStepRunData,
  StoreReleaseStepData,
  SubmissionStepRunData,
} from './entities.js'

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
  runs: {
    data: { submission: SubmissionStepRunData, rollout: RolloutStepRunData },
    dataOf(_scope, { type, facts }) {
      if (type === 'submission') {
        return { selectedBuilds: [], submittedAt: null, submissionId: null }
      }
      return type === 'rollout' ? rolloutData(facts as Partial<RolloutFacts>) : undefined
    },
  },
}

/** What is known of a rollout until stores are asked: how far it has come. */
function rolloutData({ state = null, percentage = 0, nextStage = null }: Partial<RolloutFacts>) {
  return {
    phased: {
      enabled: state !== null,
      status: state ?? 'notStarted',
      percentage,
      day: null,
      startedAt: null,
      automated: nextStage !== null,
    },
    adoption: null,
    health: [],
  }
}
