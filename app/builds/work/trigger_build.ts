import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { CiRun } from '#plugin-kit/capabilities/source'
import { releaseById } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { RecordCiBuild, type ReportedBuild } from '../actions/record_ci_build.js'
import type { CiBuildRow } from '../queries/ci_builds.js'
import { followKind, triggerKind } from '../work_kinds.js'
import { askCi, findBuild, statusOfRun, reportedOfRun, type CiPlace } from './ask_ci.js'

/**
 * Requests a run of a workflow from a CI system. The build takes its identifier from the answer. If
 * the request fails for good, the build has failed.
 */
export const triggerBuild = onCommand(triggerKind, {
  actor: 'CI',
  lease: 2 * MINUTE,
  retry: RETRIES.minutes,
  // A plugin triggers only once per idempotency key (rule R5 of the kit).
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context) {
    const build = await findBuild(context.scope, job.subject)
    return outcomeOfCall(() =>
      askCi(job, context, (ci) => {
        const { workflowId, branch, arguments: given } = job.payload
        const inputs = Object.fromEntries(given.map(({ name, value }) => [name, value]))
        const { idempotencyKey } = job
        const askedAt = build?.createdAt
        return ci.trigger(workflowId, { branch }, inputs, { idempotencyKey, askedAt })
      })
    )
  },
  async answer(scope, { subject, payload }, started: CiRun | { pendingToken: string }) {
    const build = await findBuild(scope, subject)
    if (!build) return
    const { appId, integrationId, connectionId } = payload
    const place = { appId, integrationId, connectionId }
    if ('pendingToken' in started) {
      const { pendingToken } = started
      return follow(scope, build.id, { ...place, runId: null, pendingToken })
    }
    await adoptRun(scope, place, build, started)
  },
  async afterLast(scope, { subject }, reason) {
    const build = await findBuild(scope, subject)
    if (!build) return
    await new RecordCiBuild(scope).observe({ ...reportedAgain(build), status: 'failed' })
    if (build.releaseId === null) return
    const release = await releaseById(scope, build.appId, build.releaseId)
    recordReleaseEvent(scope, release, {
      type: 'build.triggerFailed',
      title: `A build of ${build.branch} could not be triggered: ${reason}`.slice(0, 1000),
      data: { ciBuildId: build.id, reason },
      payload: null,
    })
  },
})

/** Links a requested build to its run in the CI system, and follows the run. */
export async function adoptRun(
  scope: Scope,
  place: CiPlace,
  build: CiBuildRow,
  run: CiRun
): Promise<void> {
  const { integrationId, workflowId, workflowName } = build
  const workflowData = { workflowId, workflowName }
  const status = statusOfRun(run) ?? 'pending'
  await new RecordCiBuild(scope).adopt(
    build.id,
    reportedOfRun(place, run, { integrationId, workflowData, status })
  )
  await follow(scope, build.id, { ...place, runId: run.id, pendingToken: null })
}

/** Plans the polling of a build until it has ended. */
export async function follow(
  scope: Scope,
  buildId: string,
  payload: CiPlace & { runId: string | null; pendingToken: string | null }
): Promise<void> {
  await scope.jobs.plan(followKind, { subject: buildId, payload })
}

/** Returns the known data of a build in the form of a report. */
export function reportedAgain(build: CiBuildRow): ReportedBuild {
  const { appId, integrationId, buildIdentifier, branch, baseBranch, commitHash } = build
  const { workflowId, workflowName, status } = build
  return {
    appId,
    installationId: build.installationId!,
    integrationId,
    buildIdentifier,
    branch,
    baseBranch,
    commitHash,
    workflowData: { workflowId, workflowName },
    status,
    files: [],
  }
}
