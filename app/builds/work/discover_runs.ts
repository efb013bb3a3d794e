import { onObservation } from '#foundation/agenda/handlers'
import { Problem } from '#foundation/core/problems/problem'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { findCi } from '../app_ci.js'
import { discoverKind } from '../work_kinds.js'
import { askCi } from './ask_ci.js'
import { listAllRuns, takeInRuns } from './take_in_runs.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * Looks for runs on the branch of a release that were started elsewhere: by a push, or by hand
 * in the CI system. Each is followed from then on.
 */
export const discoverRuns = onObservation(discoverKind, {
  actor: 'CI',
  lease: MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: { steps: [MINUTE, 10 * MINUTE, 30 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async look(entry, context): Promise<CiRun[] | null> {
    const { branch, since } = entry.payload
    const workflowId = entry.payload.workflowId ?? undefined
    try {
      return await askCi(entry, context, (ci) => listAllRuns(ci, { workflowId, branch, since }))
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return null
      throw error
    }
  },
  async take(scope, { payload }, runs) {
    const { appId, integrationId, connectionId } = payload
    const ci = await findCi(scope, appId)
    if (runs === null || ci?.id !== integrationId) return 'over'
    return takeInRuns(scope, { appId, integrationId, connectionId }, ci, runs)
  },
})
