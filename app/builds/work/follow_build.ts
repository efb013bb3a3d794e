import { onObservation, type CallContext, type Job } from '#foundation/jobs/handlers'
import { DAY, HOUR, MINUTE, SECOND } from '#foundation/core/durations'
import { later } from '#foundation/core/clock'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import { isMomentary, isPassing } from '#integrations/outcome_of_call'
import type { CiArtifact, CiRun } from '#plugin-kit/capabilities/source'
import { RecordCiBuild } from '../actions/record_ci_build.js'
import { requestArtifact } from '../artifact_command.js'
import { ciFilesOf, type CiBuildRow } from '../queries/ci_builds.js'
import { takenRuns } from '../queries/taken_runs.js'
import { selectedBuilds } from '../release_candidate.js'
import { isFinalStatus } from '../vocabulary.js'
import { followKind } from '../work_kinds.js'
import { askCi, findBuild, statusOfRun, reportedOfRun, type CiPlace } from './ask_ci.js'
import { adoptRun, reportedAgain } from './trigger_build.js'

/** Files that devices can install. */
const INSTALLABLE = /\.(ipa|apk|aab)$/i
const OCTETS = 'application/octet-stream'

/** Time for listing the files of a run, which leaves some of the lease for recording it. */
const LISTING_MS = 30 * SECOND
/** The first wait for files that cannot be listed. */
const FIRST_WAIT_MS = 30 * SECOND
/** The longest wait for files that cannot be listed; a storage may be down for hours. */
const PATIENCE_MS = 6 * HOUR

/** The files of a run, or what keeps them from being listed. */
interface Listed {
  artifacts: CiArtifact[]
  /** Why they are missing for good, and what to do. */
  filesMissing?: string
  /** They could not be listed for the first time, and the build waits for them. */
  isWaiting?: true
}

/** An observation of a build. The run is null while the CI system does not know it. */
interface Look extends Listed {
  run: CiRun | null
  /** The app no longer uses the CI. */
  isGone?: true
}

/** Polls a run until it has ended, and then reads its artifacts. */
export const followBuild = onObservation(followKind, {
  actor: 'CI',
  lease: MINUTE,
  every: { least: 15 * SECOND, most: 2 * MINUTE },
  retry: { steps: [30 * SECOND, 2 * MINUTE, 10 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async poll(job, context): Promise<Look> {
    const { runId, pendingToken } = job.payload
    const build = runId === null ? await findBuild(context.scope, job.subject) : null
    const isTaken = build ? await takenRuns(context.scope, build, job.payload) : undefined
    try {
      const run = await askCi(job, context, async (ci) =>
        runId !== null
          ? ci.getRun(runId)
          : ((await ci.resolvePending?.(pendingToken ?? '', isTaken)) ?? null)
      )
      if (run?.status.state !== 'succeeded') return { run, artifacts: [] }
      return { run, ...(await listFiles(job, context, run.id)) }
    } catch (error) {
      const isGone = error instanceof Problem && error.code === 'not_found'
      if (!isGone) throw error
      return { run: null, artifacts: [], isGone }
    }
  },
  async store(scope, { subject, payload }, { run, isGone, ...listed }) {
    const build = await findBuild(scope, subject)
    if (!build || isGone || isFinalStatus(build.status)) return 'over'
    if (run === null) return (await cancelIfStale(scope, build)) ? 'over' : 'unchanged'
    const { appId, integrationId, connectionId } = payload
    const place = { appId, integrationId, connectionId }
    if (build.isRequested) {
      if (await adoptRun(scope, place, build, run)) return 'changed'
      // The run is another build's, so that of this one has not appeared yet.
      return (await cancelIfStale(scope, build)) ? 'over' : 'unchanged'
    }
    if (listed.isWaiting) {
      const at = later(scope.now, FIRST_WAIT_MS)
      const waiting = { ...payload, unlistedSince: scope.now }
      await scope.jobs.plan(followKind, { subject, at, payload: waiting })
      return 'unchanged'
    }
    const status = statusOfRun(run) ?? build.status
    if (status === build.status) return 'unchanged'
    await recordStatus(scope, place, build, { run, ...listed })
    return isFinalStatus(status) ? 'over' : 'changed'
  },
})

/**
 * Lists the files of a run that has ended. A build does not wait for files that are refused, and not
 * forever for files that cannot be listed for the moment.
 * @throws Problem if they still cannot be listed
 */
async function listFiles(
  job: Job<PayloadOf<typeof followKind>>,
  context: CallContext,
  runId: string
): Promise<Listed> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LISTING_MS)])
  try {
    const artifacts = await askCi(job, { ...context, signal }, (ci) => ci.listArtifacts(runId))
    return { artifacts }
  } catch (error) {
    const cause = error instanceof Problem ? error.extras.cause : error
    if (!isProviderError(cause)) throw error
    const { code, message, detail } = cause
    // New credentials may be on their way.
    const mayPass =
      isPassing(code) || isMomentary(code, detail.retryAfterMs) || code === 'unauthorized'
    const { unlistedSince } = job.payload
    if (mayPass && unlistedSince === undefined) return { artifacts: [], isWaiting: true }
    const waited = Date.parse(context.scope.now) - Date.parse(unlistedSince ?? context.scope.now)
    if (mayPass && waited < PATIENCE_MS) throw error
    const reason = message.replace(/\.$/, '')
    const filesMissing = `Its files are missing, because CI does not list them: ${reason}. Once that is mended, a new run brings them.`
    return { artifacts: [], filesMissing }
  }
}

/** Cancels a build whose run has not appeared within a day. @returns whether it did */
async function cancelIfStale(scope: Scope, build: CiBuildRow): Promise<boolean> {
  if (Date.parse(scope.now) - Date.parse(build.startedAt) < DAY) return false
  await new RecordCiBuild(scope).observe({ ...reportedAgain(build), status: 'canceled' })
  return true
}

/** Records the new status of a build and its artifacts. */
async function recordStatus(
  scope: Scope,
  place: CiPlace,
  build: CiBuildRow,
  { run, artifacts, filesMissing }: Listed & { run: CiRun }
): Promise<void> {
  const { integrationId, workflowId, workflowName } = build
  const workflowData = { workflowId, workflowName }
  const status = statusOfRun(run) ?? build.status
  const reported = reportedOfRun(place, run, { integrationId, workflowData, status })
  const files = artifacts.map(({ id: artifactId, name, bytes, contentType = OCTETS }) => ({
    kind: 'artifact' as const,
    fileName: name,
    contentType,
    size: bytes,
    source: { runId: run.id, artifactId },
  }))
  await new RecordCiBuild(scope).observe({ ...reported, files, filesMissing })
  // A build that a release counts on must be downloadable, whether or not a bucket has it.
  if (!(await selectedBuilds(scope, [build.id])).has(build.id)) return
  for (const file of await ciFilesOf(scope, [build.id])) {
    if (INSTALLABLE.test(file.fileName)) await requestArtifact(scope, build, file)
  }
}
