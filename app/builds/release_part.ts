import { here, nullable } from '#foundation/core/schemas'
import type { ReleasePart } from '#releases/parts'
import { carryCandidate, isCandidateStep } from './candidate_runs.js'
import { claimBuilds } from './claim_builds.js'
import { candidateCommit } from './release_candidate.js'
import { AppStoreBuildEntity, ReleaseCandidateStepRunData } from './entities.js'
import { candidateRunData } from './queries/candidate_run_data.js'
import { forgetBranch, watchBranch } from './work/watch_branch.js'

declare module '#releases/parts' {
  interface ReleaseMembers {
    selectedBuild: null
  }
}

/** What builds take part in of a release; which of them stores have is not recorded yet. */
export const releasePart: ReleasePart = {
  name: 'builds',
  async adopt(scope, release, { isNew }) {
    return isNew ? claimBuilds(scope, release) : carryCandidate(scope, release)
  },
  shippedCommit: candidateCommit,
  planAhead: (scope, release) => watchBranch(scope, release),
  remove: (scope, release) => forgetBranch(scope, release.id),
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
    dataOf: (scope, run) => (isCandidateStep(run.type) ? candidateRunData(scope, run) : undefined),
  },
}
