import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { everyPage } from '#integrations/every_page'
import { yieldToOthers } from '#foundation/core/yielding'
import type { CiRun, ContinuousIntegration } from '#plugin-kit/capabilities/source'
import { RecordCiBuild } from '../actions/record_ci_build.js'
import type { AppCi } from '../app_ci.js'
import { hasRequested } from '../queries/ci_builds.js'
import { ciBuilds } from '../tables.js'
import { statusOfRun, reportedOfRun, type CiPlace } from './ask_ci.js'
import { follow } from './trigger_build.js'

/** Maximum number of pages of runs that one poll reads. */
const MAX_PAGES = 10

const KNOWN = select(
  of(ciBuilds, 'b', ['workflowId', 'buildIdentifier']),
  `from ci_builds b where b.organization_id = :org and b.installation_id = :installationId
    and b.build_identifier in json(:identifiers)`
)

/** Lists the runs of a CI system, up to the maximum number of pages. */
export async function listAllRuns(
  ci: ContinuousIntegration,
  filter: Parameters<ContinuousIntegration['listRuns']>[0]
): Promise<CiRun[]> {
  return everyPage((cursor) => ci.listRuns(filter, cursor), MAX_PAGES)
}

const identifierOf = ({ number, id }: CiRun) => number ?? id

/** Records the runs that are not known yet, and starts to follow each. */
export async function takeInRuns(
  scope: Scope,
  place: CiPlace,
  ci: AppCi,
  runs: readonly CiRun[]
): Promise<'changed' | 'unchanged'> {
  const installationId = place.integrationId
  // One of the runs may be that of a requested build, whose identifier is not known yet.
  if (runs.length === 0 || (await hasRequested(scope, installationId))) return 'unchanged'
  const identifiers = JSON.stringify(runs.map(identifierOf))
  const known = await scope.rows(KNOWN, { installationId, identifiers })
  const keyOf = (workflowId: string, identifier: string) => JSON.stringify([workflowId, identifier])
  const keys = new Set(
    known.map(({ workflowId, buildIdentifier }) => keyOf(workflowId, buildIdentifier))
  )
  const newRuns = runs.filter((run) => !keys.has(keyOf(run.workflowId, identifierOf(run))))
  for (const run of newRuns) {
    await yieldToOthers()
    const { workflowId } = run
    const workflowData = { workflowId, workflowName: workflowId }
    // Its end is recorded by the next poll, along with its artifacts.
    const status = statusOfRun(run) === 'pending' ? 'pending' : 'running'
    const reported = reportedOfRun(place, run, { integrationId: ci.type, workflowData, status })
    const build = await new RecordCiBuild(scope).observe(reported)
    await follow(scope, build.id, { ...place, runId: run.id, pendingToken: null })
  }
  return newRuns.length > 0 ? 'changed' : 'unchanged'
}
