import { onObservation } from '#foundation/agenda/handlers'
import { Problem } from '#foundation/core/problems/problem'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { RecordCiBuild } from '../actions/record_ci_build.js'
import { findCi } from '../app_ci.js'
import { ciBuildOf, hasRequested } from '../queries/ci_builds.js'
import { discoverKind } from '../work_kinds.js'
import { askCi, statusOfRun, toldOfRun } from './ask_ci.js'
import { follow } from './trigger_build.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** So many pages of runs are read at once. */
const MOST_PAGES = 10

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
      return await askCi(entry, context, async (ci) => {
        const runs: CiRun[] = []
        let cursor: string | undefined
        for (let pages = 0; pages < MOST_PAGES; pages++) {
          const { items, next } = await ci.listRuns({ workflowId, branch, since }, cursor)
          runs.push(...items)
          if (next === undefined) break
          cursor = next
        }
        return runs
      })
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return null
      throw error
    }
  },
  async take(scope, { payload }, runs) {
    const { appId, integrationId, connectionId } = payload
    const ci = await findCi(scope, appId)
    if (runs === null || ci?.id !== integrationId) return 'over'
    // One of them may be what was asked for, whose identifier is not known yet.
    if (await hasRequested(scope, integrationId)) return 'unchanged'
    const place = { appId, integrationId, connectionId }
    let isNew = false
    for (const run of runs) {
      const { workflowId } = run
      const key = { installationId: integrationId, workflowId }
      if (await ciBuildOf(scope, { ...key, buildIdentifier: run.number ?? run.id })) continue
      isNew = true
      const workflowData = { workflowId, workflowName: workflowId }
      // How it ended is seen when it is looked at, with what it made.
      const status = statusOfRun(run) === 'pending' ? 'pending' : 'running'
      const told = toldOfRun(place, run, { integrationId: ci.type, workflowData, status })
      const build = await new RecordCiBuild(scope).observe(told)
      await follow(scope, build.id, { ...place, runId: run.id, pendingToken: null })
    }
    return isNew ? 'changed' : 'unchanged'
  },
})
