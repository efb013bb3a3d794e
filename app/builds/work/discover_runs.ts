import { onObservation } from '#foundation/jobs/handlers'
import { findCi } from '../app_ci.js'
import { discoverKind } from '../work_kinds.js'
import { DISCOVERING, runsOf } from './discovering.js'
import { takeInRuns } from './take_in_runs.js'

/**
 * Looks for runs on the branch of a release that were started outside of Tarmac, by a push or by
 * hand. Each run that it finds is recorded and followed.
 */
export const discoverRuns = onObservation(discoverKind, {
  ...DISCOVERING,
  poll(job, context) {
    const { branch, since, workflowId } = job.payload
    return runsOf(job, context, { workflowId: workflowId ?? undefined, branch, since })
  },
  async store(scope, { payload }, runs) {
    const { appId, integrationId, connectionId } = payload
    const ci = await findCi(scope, appId)
    if (runs === null || ci?.id !== integrationId) return 'over'
    return takeInRuns(scope, { appId, integrationId, connectionId }, ci, runs)
  },
})
