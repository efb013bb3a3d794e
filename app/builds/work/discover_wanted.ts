import { onObservation } from '#foundation/jobs/handlers'
import { later } from '#foundation/core/clock'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { findCi } from '../app_ci.js'
import { interestIn } from '../interests.js'
import { plainBranch } from '../plain_branch.js'
import { discoverWantedKind } from '../work_kinds.js'
import { DISCOVERING, runsOf } from './discovering.js'
import { forgetWatch } from './watch_app.js'
import { takeInRuns } from './take_in_runs.js'

/**
 * The time span in which runs are searched, in milliseconds: as long as the service may have been
 * away.
 */
const FAR_BACK = 2 * 24 * 3_600_000

/**
 * Looks for runs of any branch or pull request that somebody waits for, such as a bucket by its
 * rules. Each is followed from then on; others are none of ours.
 */
export const discoverWanted = onObservation(discoverWantedKind, {
  ...DISCOVERING,
  look(job, context) {
    const recent = later(context.scope.now, -FAR_BACK)
    const { since } = job.payload
    return runsOf(job, context, { since: since > recent ? since : recent })
  },
  async take(scope, { payload: { since, ...place } }, runs) {
    const ci = await findCi(scope, place.appId)
    const isWanted = await interestIn(scope, place.appId)
    if (runs === null || ci?.id !== place.integrationId || !isWanted) {
      await forgetWatch(scope, place.appId)
      return 'over'
    }
    const wanted: CiRun[] = []
    for (const run of runs) {
      const { branch, baseBranch, workflowId, startedAt } = run
      if (startedAt !== undefined && startedAt < since) continue
      const build = {
        branch: plainBranch(branch),
        baseBranch: baseBranch === undefined ? null : plainBranch(baseBranch),
        workflowId,
        workflowName: workflowId,
      }
      if (await isWanted(build)) wanted.push(run)
    }
    return takeInRuns(scope, place, ci, wanted)
  },
})
