import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import type Release from '../models/release.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { releaseSteps, stepRuns } from '../tables.js'

/**
 * Returns the initial facts and notes of a new run. It only keeps the store texts, which belong to
 * the release, without their approval.
 */
function initialState({ type, notes: { localizations, editedBy } }: StepRow) {
  const { facts } = neutralPart(type)
  if (type !== 'metadata' || !localizations?.length) return { facts, notes: {} }
  return { facts: { ...facts, edited: true }, notes: { localizations, editedBy } }
}

/** Begins a new run of one step. The old run stays unchanged. @returns the id of the new run */
export async function restartStep(scope: Scope, release: Release, step: StepRow): Promise<string> {
  const id = newId('run')
  await scope.insert(stepRuns, [
    {
      id,
      releaseId: release.id,
      stepId: step.id,
      attempt: step.attempt + 1,
      status: step.status,
      startedAt: scope.now,
      completedAt: null,
      ...initialState(step),
    },
  ])
  await scope.update(releaseSteps, { id: step.id }, { stepRunId: id })
  return id
}

/** Begins a new run of every step that is in progress or blocked. */
export async function restartSteps(scope: Scope, release: Release): Promise<void> {
  for (const step of await stepRows(scope, release.id)) {
    if (step.status === 'inProgress' || step.status === 'blocked') {
      await restartStep(scope, release, step)
    }
  }
}
