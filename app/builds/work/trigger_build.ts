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
import { askCi, buildThere, statusOfRun, reportedOfRun, type CiPlace } from './ask_ci.js'

/**
 * Asks a CI system to run a workflow. The build is identified by what the CI system returns; if it
 * cannot be asked, the build has failed.
 */
export const triggerBuild = onCommand(triggerKind, {
  actor: 'CI',
  lease: 2 * MINUTE,
  retry: RETRIES.minutes,
  // A plugin triggers once for one key, however often it is asked (rule R5 of the kit).
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context) {
    const build = await buildThere(context.scope, job.subject)
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
  async answer(scope, { subject, payload }, begun: CiRun | { pendingToken: string }) {
    const build = await buildThere(scope, subject)
    if (!build) return
    const { appId, integrationId, connectionId } = payload
    const place = { appId, integrationId, connectionId }
    if ('pendingToken' in begun) {
      const { pendingToken } = begun
      return follow(scope, build.id, { ...place, runId: null, pendingToken })
    }
    await takeUp(scope, place, build, begun)
  },
  async afterLast(scope, { subject }, reason) {
    const build = await buildThere(scope, subject)
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

/** Gives a build that was asked for the run that it is, and follows that. */
export async function takeUp(
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

/** Has a build looked at until it is over. */
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
