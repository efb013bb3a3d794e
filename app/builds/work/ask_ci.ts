import type { CallContext, Job } from '#foundation/jobs/handlers'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import type { CiRun, ContinuousIntegration } from '#plugin-kit/capabilities/source'
import type { ReportedBuild } from '../actions/record_ci_build.js'
import { ciBuildsById, type CiBuildRow } from '../queries/ci_builds.js'
import type { CIBuildStatus } from '../vocabulary.js'

/** The CI integration of an app. */
export interface CiPlace {
  appId: string
  integrationId: string
  connectionId: string
}

/** Calls the CI integration of a job. @throws what `askProvider` throws */
export function askCi<Result>(
  { payload: { integrationId: id, connectionId } }: Job<CiPlace>,
  { scope, signal }: CallContext,
  ask: (ci: ContinuousIntegration) => Promise<Result>
): Promise<Result> {
  return askProvider(scope, { integration: { id, connectionId }, kind: 'ci', signal }, ask)
}

/** Finds a build; null if it has been deleted. */
export async function findBuild(scope: Scope, id: string): Promise<CiBuildRow | null> {
  const [build] = await ciBuildsById(scope, [id])
  return build ?? null
}

const STATUS_OF = {
  queued: 'pending',
  running: 'running',
  succeeded: 'success',
  failed: 'failed',
  canceled: 'canceled',
} as const satisfies Record<string, CIBuildStatus>

/** Returns the build status of a run; null for an unknown state. */
export function statusOfRun({ status: { state } }: CiRun): CIBuildStatus | null {
  return state === 'unknown' ? null : STATUS_OF[state]
}

/** Converts a run of a provider to a reported build. */
export function reportedOfRun(
  { appId, integrationId: installationId }: CiPlace,
  run: CiRun,
  known: Pick<ReportedBuild, 'integrationId' | 'status' | 'workflowData'>
): ReportedBuild {
  return {
    ...known,
    appId,
    installationId,
    buildIdentifier: run.number ?? run.id,
    branch: run.branch,
    baseBranch: run.baseBranch ?? null,
    commitHash: run.sha,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    url: run.url,
    files: [],
  }
}
