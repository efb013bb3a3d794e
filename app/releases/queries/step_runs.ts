import { extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { StepRunEntity } from '../entities.js'
import { releaseSteps, stepRuns } from '../tables.js'
import type { ReleaseRow } from './read_release.js'

const RUNS = select(
  { ...of(stepRuns, 'n'), ...of(releaseSteps, 's', ['stepConfigId', 'type']) },
  `from step_runs n join release_steps s on s.id = n.step_id
  where n.organization_id = :org and n.release_id = :releaseId`
)
const RUN = extended(RUNS, 'and n.id = :stepRunId')
const CURRENT_RUN = extended(RUNS, 'and s.step_config_id = :stepConfigId and s.step_run_id = n.id')

function stepRunEntity(release: ReleaseRow, row: RowOfSelect<typeof RUNS>): StepRunEntity {
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
    data: { ...row.facts, ...row.notes },
  }
}

/** A run of the release, present or past. @throws not_found */
export async function stepRun(
  scope: Scope,
  release: ReleaseRow,
  stepRunId: string
): Promise<StepRunEntity> {
  const [row] = await scope.rows(RUN, { releaseId: release.id, stepRunId })
  if (!row) throw refuse('not_found')
  return stepRunEntity(release, row)
}

/** The current run of a step of the workflow. @throws not_found */
export async function currentRun(
  scope: Scope,
  release: ReleaseRow,
  stepConfigId: string
): Promise<StepRunEntity> {
  const [row] = await scope.rows(CURRENT_RUN, { releaseId: release.id, stepConfigId })
  if (!row) throw refuse('not_found')
  return stepRunEntity(release, row)
}
