import { onObservation } from '#foundation/jobs/handlers'
import { DAY, MINUTE, SECOND } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
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

/** An observation of a build. The run is null while the CI system does not know it. */
interface Look {
  run: CiRun | null
  artifacts: CiArtifact[]
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
      return await askCi(job, context, async (ci) => {
        const run =
          runId !== null
            ? await ci.getRun(runId)
            : ((await ci.resolvePending?.(pendingToken ?? '', isTaken)) ?? null)
        if (run?.status.state !== 'succeeded') return { run, artifacts: [] }
        return { run, artifacts: await ci.listArtifacts(run.id) }
      })
    } catch (error) {
      const isGone = error instanceof Problem && error.code === 'not_found'
      if (!isGone) throw error
      return { run: null, artifacts: [], isGone }
    }
  },
  async store(scope, { subject, payload }, { run, artifacts, isGone }) {
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
    const status = statusOfRun(run) ?? build.status
    if (status === build.status) return 'unchanged'
    await recordStatus(scope, place, build, { run, artifacts })
    return isFinalStatus(status) ? 'over' : 'changed'
  },
})

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
  { run, artifacts }: Pick<Look, 'artifacts'> & { run: CiRun }
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
  await new RecordCiBuild(scope).observe({ ...reported, files })
  // A build that a release counts on must be downloadable, whether or not a bucket has it.
  if (!(await selectedBuilds(scope, [build.id])).has(build.id)) return
  for (const file of await ciFilesOf(scope, [build.id])) {
    if (INSTALLABLE.test(file.fileName)) await requestArtifact(scope, build, file)
  }
}
