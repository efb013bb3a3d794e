import { here, nullable } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { claimBuilds } from './claim_builds.js'
import { candidateCommit } from './release_candidate.js'
import { AppStoreBuildEntity, ReleaseCandidateStepRunData } from './entities.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    selectedBuild: null
  }
}

/** What builds take part in of a release; which of them stores have is not recorded yet. */
export const releasePart: ReleasePart = {
  name: 'builds',
  async adopt(scope, release, { isNew }) {
    if (isNew) await claimBuilds(scope, release)
    return false
  },
  shippedCommit: candidateCommit,
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
