import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { CiRun, RunRequest } from '#plugin-kit/capabilities/source'
import { releaseById } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { RecordCiBuild, type ReportedBuild } from '../actions/record_ci_build.js'
import type { CiBuildRow } from '../queries/ci_builds.js'
import { takenRuns } from '../queries/taken_runs.js'
import { ciBuilds } from '../tables.js'
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
    if (!build) return { outcome: 'notApplied', reason: 'The build was deleted', isFinal: true }
    const { idempotencyKey, isInDoubt } = job
    if (!isInDoubt) await context.write((scope) => recordBegin(scope, build))
    const request: RunRequest = isInDoubt
      ? {
          ...{ idempotencyKey, inDoubtSince: build.startedAt },
          isTaken: await takenRuns(context.scope, build, job.payload),
        }
      : { idempotencyKey }
    const outcome = await outcomeOfCall(() =>
      askCi(job, context, (ci) => {
        const { workflowId, branch, arguments: given } = job.payload
        const inputs = Object.fromEntries(given.map(({ name, value }) => [name, value]))
        return ci.trigger(workflowId, { branch }, inputs, request)
      })
    )
    // The outcome of this attempt says nothing about the one whose answer was lost.
    const isStillInDoubt = isInDoubt && outcome.outcome === 'notApplied' && !outcome.isFinal
    return isStillInDoubt && !outcome.isEarly ? { ...outcome, outcome: 'unknown' } : outcome
  },
  async storeResult(scope, { subject, payload }, started: CiRun | { pendingToken: string }) {
    const build = await findBuild(scope, subject)
    if (!build) return
    const { appId, integrationId, connectionId } = payload
    const place = { appId, integrationId, connectionId }
    if ('pendingToken' in started) {
      const { pendingToken } = started
      return follow(scope, build.id, { ...place, runId: null, pendingToken })
    }
    if (await adoptRun(scope, place, build, started)) return
    const run = started.url ?? started.number ?? started.id
    // The attempt is repeated, and this run is then known as taken.
    throw new Error(`The CI system answered with a run that is another build's: ${run}`)
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

/** Records when the build was asked of the CI system, which a lost answer makes count. */
async function recordBegin(scope: Scope, { id, appId }: CiBuildRow): Promise<void> {
  await scope.lock('apps', appId)
  await scope.update(ciBuilds, { id, isRequested: true }, { startedAt: scope.now })
}

/**
 * Links a requested build to its run in the CI system, and follows the run.
 * @returns false if the run is another build's
 */
export async function adoptRun(
  scope: Scope,
  place: CiPlace,
  build: CiBuildRow,
  run: CiRun
): Promise<boolean> {
  const { integrationId, workflowId, workflowName } = build
  const workflowData = { workflowId, workflowName }
  const known = statusOfRun(run) ?? 'pending'
  // A success is recorded by the next poll, along with the artifacts.
  const status = known === 'success' ? 'running' : known
  const adopted = await new RecordCiBuild(scope).adopt(
    build.id,
    reportedOfRun(place, run, { integrationId, workflowData, status })
  )
  if (adopted) await follow(scope, build.id, { ...place, runId: run.id, pendingToken: null })
  return adopted !== null
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
