import { here, nullable } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { AppStoreBuildEntity, ReleaseCandidateStepRunData } from './entities.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    selectedBuild: null
  }
}

/** Of its builds a release shows that there is none: none can be until builds are recorded. */
export const releasePart: ReleasePart = {
  name: 'builds',
  entity: {
    schema: {
      selectedBuild: nullable(
        here('The build that ships; null until one is chosen.', AppStoreBuildEntity)
      ),
    },
    of: async () => new Map(),
    none: { selectedBuild: null },
  },
  runs: {
    data: {
      releaseCandidate: ReleaseCandidateStepRunData,
      rollbackBuild: ReleaseCandidateStepRunData,
    },
    dataOf: ({ type }) =>
      type === 'releaseCandidate' || type === 'rollbackBuild'
        ? { activeBuild: null, lockedBuildId: null, builds: 0 }
        : undefined,
  },
}
