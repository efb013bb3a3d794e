import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { recordRunFacts } from '#releases/lifecycle/record_run_facts'
import { restartStep } from '#releases/lifecycle/restart_steps'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/lifecycle/open_releases'
import { stepRows, type StepRow } from '#releases/queries/step_rows'
import type { BuildFacts } from '#releases/engine/facts'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { ciBuildsById, type CiBuildRow } from './queries/ci_builds.js'
import { releaseCandidates, runBuilds } from './tables.js'

/** The types of step whose status follows from a build. */
export const CANDIDATE_STEPS = ['releaseCandidate', 'rollbackBuild'] as const

export const isCandidateStep = (type: ReleaseStepType): boolean =>
  CANDIDATE_STEPS.some((each) => each === type)

const SELECT_BY_RELEASE = select(
  of(releaseCandidates, 'c', ['ciBuildId']),
  'from release_candidates c where c.organization_id = :org and c.release_id = :releaseId'
)
const SELECT_BY_RUN = select(
  of(runBuilds, 'n', ['ciBuildId']),
  `from run_builds n where n.organization_id = :org and n.step_run_id = :stepRunId
  order by n.active_since desc, n.ci_build_id desc`
)
const SELECT_BY_RUNS = select(
  of(runBuilds, 'n', ['ciBuildId']),
  `from run_builds n where n.organization_id = :org and n.release_id = :releaseId
  order by n.active_since desc, n.ci_build_id desc`
)
const ACTIVATE = change(
  `insert into run_builds (step_run_id, ci_build_id, organization_id, release_id, active_since)
  values (:stepRunId, :ciBuildId, :org, :releaseId, :now)
  on conflict (step_run_id, ci_build_id) do update set active_since = excluded.active_since`
)

/** Returns the ids of the builds that a run has had, the active one first. */
export async function buildsOfRun(scope: Scope, stepRunId: string): Promise<string[]> {
  return (await scope.rows(SELECT_BY_RUN, { stepRunId })).map(({ ciBuildId }) => ciBuildId)
}

/** Returns the ids of the builds that the runs of a release have had, the last active one first. */
export async function buildsOfRelease(scope: Scope, releaseId: string): Promise<string[]> {
  const rows = await scope.rows(SELECT_BY_RUNS, { releaseId })
  return [...new Set(rows.map(({ ciBuildId }) => ciBuildId))]
}

/**
 * Records a build in the current runs of the candidate steps of its release, if it is the candidate
 * of the release. Touches the release when facts change. A completed or skipped release does not
 * change.
 */
export async function storeCandidateFacts(
  scope: Scope,
  release: Release,
  build: CiBuildRow
): Promise<void> {
  if (!isOpen(release)) return
  const [candidate] = await scope.rows(SELECT_BY_RELEASE, { releaseId: release.id })
  if (candidate?.ciBuildId !== build.id) return
  for (const step of await stepRows(scope, release.id)) {
    if (!isCandidateStep(step.type)) continue
    const run = await runFor(scope, release, step, build)
    const facts: BuildFacts = { activeBuild: build.status }
    if (await recordRunFacts(scope, run, facts)) scope.touch(release)
  }
}

/**
 * Records the candidate of a release in runs that began without it, because their step was added
 * later or was restarted.
 */
export async function carryCandidate(scope: Scope, release: Release): Promise<void> {
  const [candidate] = await scope.rows(SELECT_BY_RELEASE, { releaseId: release.id })
  if (!candidate) return
  const [build] = await ciBuildsById(scope, [candidate.ciBuildId])
  if (build) await storeCandidateFacts(scope, release, build)
}

/** Makes a build the active one of a step's run. Starts a new run if the previous build failed. */
async function runFor(
  scope: Scope,
  release: Release,
  step: StepRow,
  { id: ciBuildId }: CiBuildRow
): Promise<Pick<StepRow, 'runId' | 'facts'>> {
  const [active] = await buildsOfRun(scope, step.runId)
  if (active === ciBuildId) return step
  const hasFailed = (step.facts as Partial<BuildFacts>).activeBuild === 'failed'
  const stepRunId = hasFailed ? await restartStep(scope, release, step) : step.runId
  const { id: releaseId } = release
  await scope.change(ACTIVATE, { stepRunId, ciBuildId, releaseId, now: scope.now })
  return hasFailed ? { runId: stepRunId, facts: {} as StepRow['facts'] } : step
}
