import { DAY } from '#foundation/core/durations'
import { onObservation } from '#foundation/jobs/handlers'
import { earlier } from '#foundation/core/clock'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { findCi } from '../app_ci.js'
import { interestIn } from '../interests.js'
import { plainBranch } from '../plain_branch.js'
import { discoverWantedKind } from '../work_kinds.js'
import { DISCOVERING, runsOf } from './discovering.js'
import { forgetWatch } from './watch_app.js'
import { takeInRuns } from './take_in_runs.js'

/**
 * Maximum age of a run to search for, in milliseconds. A longer outage of the service misses runs.
 */
const SEARCH_WINDOW = 2 * DAY

/**
 * Discovers runs of any branch or pull request that an extension is interested in, such as a bucket
 * with matching rules. These runs are recorded and polled; others are ignored.
 */
export const discoverWanted = onObservation(discoverWantedKind, {
  ...DISCOVERING,
  poll(job, context) {
    const recent = earlier(context.scope.now, SEARCH_WINDOW)
    const { since } = job.payload
    return runsOf(job, context, { since: since > recent ? since : recent })
  },
  async store(scope, { payload: { since, ...place } }, runs) {
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
