import { onObservation } from '#foundation/agenda/handlers'
import { later } from '#foundation/core/clock'
import { Problem } from '#foundation/core/problems/problem'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { findCi } from '../app_ci.js'
import { interestIn } from '../interests.js'
import { plainBranch } from '../plain_branch.js'
import { discoverWantedKind } from '../work_kinds.js'
import { askCi } from './ask_ci.js'
import { forgetWatch } from './watch_app.js'
import { listAllRuns, takeInRuns } from './take_in_runs.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** How far back is looked, in milliseconds: as long as the service may have been away. */
const FAR_BACK = 2 * 24 * 60 * MINUTE

/**
 * Looks for runs of any branch or pull request that somebody waits for, such as a bucket by its
 * rules. Each is followed from then on; others are none of ours.
 */
export const discoverWanted = onObservation(discoverWantedKind, {
  actor: 'CI',
  lease: MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: { steps: [MINUTE, 10 * MINUTE, 30 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async look(entry, context): Promise<CiRun[] | null> {
    const recent = later(context.scope.now, -FAR_BACK)
    const { since } = entry.payload
    try {
      return await askCi(entry, context, (ci) =>
        listAllRuns(ci, { since: since > recent ? since : recent })
      )
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return null
      throw error
    }
  },
  async take(scope, { payload: { since, ...place } }, runs) {
    const ci = await findCi(scope, place.appId)
    const isWanted = await interestIn(scope, place.appId)
    if (runs === null || ci?.id !== place.integrationId || !isWanted) {
      await forgetWatch(scope, place.appId)
      return 'over'
    }
    const wanted = runs.filter(
      ({ branch, baseBranch, workflowId, startedAt }) =>
        (startedAt === undefined || startedAt >= since) &&
        isWanted({
          branch: plainBranch(branch),
          baseBranch: baseBranch === undefined ? null : plainBranch(baseBranch),
          workflowId,
          workflowName: workflowId,
        })
    )
    return takeInRuns(scope, place, ci, wanted)
  },
})
