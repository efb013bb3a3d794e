import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import StepRun from '../models/step_run.js'
import type Release from '../models/release.js'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { stepRows, type StepRow } from './step_rows.js'

/** A step with the model of its current run. */
export interface CurrentRun {
  step: StepRow
  run: StepRun
}

/**
 * Finds a run by id, which has to be the current run of a step of one of these types.
 * @throws not_found, step_type_mismatch, step_run_superseded
 */
export async function findCurrentRun(
  scope: Scope,
  release: Release,
  stepRunId: string,
  types: readonly ReleaseStepType[]
): Promise<CurrentRun> {
  const run = await scope.query(StepRun).where({ id: stepRunId, releaseId: release.id }).first()
  if (!run) throw refuse('not_found')
  const steps = await stepRows(scope, release.id)
  const step = steps.find((row) => row.id === run.stepId)!
  if (!types.includes(step.type)) {
    throw refuse('step_type_mismatch', {
      detail: `${step.name} is a step of type ${step.type}; this operation takes ${types.join(', ')}.`,
    })
  }
  if (step.runId !== run.id) {
    throw refuse('step_run_superseded', {
      detail: `The current run of ${step.name} is ${step.runId}.`,
      members: { currentStepRunId: step.runId },
    })
  }
  return { step, run }
}

/**
 * Finds the current runs of all steps of a type.
 * @throws step_type_mismatch when the release has no such step
 */
export async function currentRunsOfType(
  scope: Scope,
  release: Release,
  type: ReleaseStepType
): Promise<CurrentRun[]> {
  const steps = (await stepRows(scope, release.id)).filter((row) => row.type === type)
  if (steps.length === 0) {
    throw refuse('step_type_mismatch', { detail: `The release has no step of type ${type}.` })
  }
  const runs = await scope
    .query(StepRun)
    .whereIn(
      'id',
      steps.map((step) => step.runId)
    )
    .exec()
  const byId = new Map(runs.map((run) => [run.id, run]))
  return steps.map((step) => ({ step, run: byId.get(step.runId)! }))
}
