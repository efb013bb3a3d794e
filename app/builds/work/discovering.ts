import type { CallContext, Job } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { Problem } from '#foundation/core/problems/problem'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { askCi, type CiPlace } from './ask_ci.js'
import { listAllRuns } from './take_in_runs.js'

/** Settings of the jobs that look for runs which Tarmac did not request. */
export const DISCOVERING = {
  actor: 'CI',
  lease: MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: { steps: [MINUTE, 10 * MINUTE, 30 * MINUTE] },
  lock: (scope: Scope, { payload }: Job<CiPlace>) => scope.lock('apps', payload.appId),
}

/** Returns the runs that the CI of a job lists; null if the integration no longer exists. */
export async function runsOf(
  job: Job<CiPlace>,
  context: CallContext,
  filter: Parameters<typeof listAllRuns>[1]
): Promise<CiRun[] | null> {
  try {
    return await askCi(job, context, (ci) => listAllRuns(ci, filter))
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null
    throw error
  }
}
