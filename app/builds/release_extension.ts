import type { ReleaseExtension } from '#releases/extensions'
import { carryCandidate, isCandidateStep } from './candidate_runs.js'
import { claimBuilds } from './claim_builds.js'
import { evidence } from './evidence.js'
import { ReleaseCandidateStepRunData } from './entities.js'
import { candidateRunData } from './queries/candidate_run_data.js'
import { forgetBranch, watchBranch, prefetchWatch } from './work/watch_branch.js'

/** The extension of releases by builds. */
export const releaseExtension: ReleaseExtension = {
  name: 'builds',
  facts: {
    prefetch: (scope, { id }) => prefetchWatch(scope, id),
  },
  lifecycle: {
    async adopt(scope, release, { isNew }) {
      return isNew ? claimBuilds(scope, release) : carryCandidate(scope, release)
    },
    planAhead: (scope, release) => watchBranch(scope, release),
    remove: (scope, release) => forgetBranch(scope, release.id),
  },
  presentation: {
    evidence,
    runs: {
      data: {
        releaseCandidate: ReleaseCandidateStepRunData,
        rollbackBuild: ReleaseCandidateStepRunData,
      },
      dataOf: (scope, run) =>
        isCandidateStep(run.type) ? candidateRunData(scope, run) : undefined,
    },
  },
}
