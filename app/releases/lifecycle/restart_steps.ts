import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { neutralPart } from '../engine/facts.js'
import type Release from '../models/release.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { releaseSteps, stepRuns } from '../tables.js'

/**
 * Returns the initial notes of a new run: only the store texts. They belong to the release, as its
 * items do; their approval starts over.
 */
function beginning({ type, notes: { localizations, editedBy } }: StepRow) {
  const { facts } = neutralPart(type)
  if (type !== 'metadata' || !localizations?.length) return { facts, notes: {} }
  return { facts: { ...facts, edited: true }, notes: { localizations, editedBy } }
}

/** Begins a new run of one step; the old run stays on record as it was. */
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
      ...beginning(step),
    },
  ])
  await scope.update(releaseSteps, { id: step.id }, { stepRunId: id })
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
