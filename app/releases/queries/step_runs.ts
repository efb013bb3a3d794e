import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { StepRunEntity } from '../entities.js'
import type { ReleaseStepType } from '../vocabulary.js'
import type { ReleaseFields } from './read_release.js'

interface RunRow {
  id: string
  step_id: string
  step_config_id: string
  type: ReleaseStepType
  status: StepRunEntity['status']
  attempt: number
  started_at: string
  completed_at: string | null
  facts: string
}

function runs(scope: Scope, release: ReleaseFields) {
  return scope
    .table('step_runs')
    .join('release_steps', 'release_steps.id', 'step_runs.step_id')
    .where('step_runs.release_id', release.id)
    .select(
      'step_runs.id',
      'step_runs.step_id',
      'release_steps.step_config_id',
      'release_steps.type',
      'step_runs.status',
      'step_runs.attempt',
      'step_runs.started_at',
      'step_runs.completed_at',
      'step_runs.facts'
    )
}

function stepRunEntity(release: ReleaseFields, row: RunRow): StepRunEntity {
  return {
    id: row.id,
    stepId: row.step_id,
    stepConfigId: row.step_config_id,
    releaseId: release.publicId,
    type: row.type,
    status: row.status,
    attempt: row.attempt,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    data: JSON.parse(row.facts),
  }
}

/** A run of the release, present or past. @throws not_found */
export async function stepRun(
  scope: Scope,
  release: ReleaseFields,
  stepRunId: string
): Promise<StepRunEntity> {
  const row: RunRow | null = await runs(scope, release).where('step_runs.id', stepRunId).first()
  if (!row) throw refuse('not_found')
  return stepRunEntity(release, row)
}

/** The current run of a step of the workflow. @throws not_found */
export async function currentRun(
  scope: Scope,
  release: ReleaseFields,
  stepConfigId: string
): Promise<StepRunEntity> {
  const row: RunRow | null = await runs(scope, release)
    .where('release_steps.step_config_id', stepConfigId)
    .whereColumn('release_steps.step_run_id', 'step_runs.id')
    .first()
  if (!row) throw refuse('not_found')
  return stepRunEntity(release, row)
}
