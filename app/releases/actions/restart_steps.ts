import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import type Release from '../models/release.js'
import { stepRows, type StepRow } from '../queries/load_facts.js'

/** Begins a new run of one step; the old run stays on record as it was. */
export async function restartStep(scope: Scope, release: Release, step: StepRow): Promise<string> {
  const id = newId('run')
  await scope.insert('step_runs', [
    {
      id,
      release_id: release.id,
      step_id: step.id,
      attempt: step.attempt + 1,
      status: step.status,
      started_at: scope.now,
      completed_at: null,
      facts: JSON.stringify(neutralPart(step.type).facts),
    },
  ])
  await scope.table('release_steps').where('id', step.id).update({ step_run_id: id })
  return id
}

/** A new run for every step that was begun and not finished. */
export async function restartSteps(scope: Scope, release: Release): Promise<void> {
  for (const step of await stepRows(scope, release.id)) {
    if (step.status === 'inProgress' || step.status === 'blocked') {
      await restartStep(scope, release, step)
    }
  }
}
