import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { StepRunEntity } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import { decisionData } from '../schemas/step_data.js'
import type { ReleaseRow } from './read_release.js'
import { CURRENT_RUN, RUN, type RunRow } from './run_rows.js'

async function stepRunEntity(
  scope: Scope,
  release: ReleaseRow,
  row: RunRow
): Promise<StepRunEntity> {
  return {
    id: row.id,
    stepId: row.stepId,
    stepConfigId: row.stepConfigId,
    releaseId: release.publicId,
    type: row.type,
    status: row.status,
    attempt: row.attempt,
    startedAt: row.startedAt,
    completedAt: row.completedAt,
    data: await dataOf(scope, row),
  }
}

/** Returns the data of a run, converted by the type of its step. */
async function dataOf(scope: Scope, row: RunRow): Promise<Record<string, unknown>> {
  const own = decisionData(row)
  if (own) return own
  for (const { presentation } of releaseExtensions.all) {
    const data = await presentation?.runs?.dataOf(scope, row)
    if (data) return data
  }
  return {}
}

/** Returns a run of the release, current or past. @throws not_found */
export async function stepRun(
  scope: Scope,
  release: ReleaseRow,
  stepRunId: string
): Promise<StepRunEntity> {
  const [row] = await scope.rows(RUN, { releaseId: release.id, stepRunId })
  if (!row) throw refuse('not_found')
  return stepRunEntity(scope, release, row)
}

/** Returns the current run of a step of the workflow. @throws not_found */
export async function currentRun(
  scope: Scope,
  release: ReleaseRow,
  stepConfigId: string
): Promise<StepRunEntity> {
  const [row] = await scope.rows(CURRENT_RUN, { releaseId: release.id, stepConfigId })
  if (!row) throw refuse('not_found')
  return stepRunEntity(scope, release, row)
}
