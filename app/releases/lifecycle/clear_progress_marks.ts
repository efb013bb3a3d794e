import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import { handSetAfterItemChange } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { stepRuns } from '../tables.js'

/**
 * Clears hand-set marks of progress from regression runs: they give way to the items of the
 * run once one of them changes.
 * @param stepIds the steps whose items changed
 * @returns the release's steps as they are then
 */
export async function clearProgressMarks(
  scope: Scope,
  release: Release,
  stepIds: ReadonlySet<string>
): Promise<StepRow[]> {
  const steps = await stepRows(scope, release.id)
  for (const step of steps) {
    if (step.type !== 'regressionTesting' || !stepIds.has(step.id)) continue
    const { handSet } = step.facts as RegressionTestingFacts
    const left = handSetAfterItemChange(handSet)
    if (left === handSet) continue
    step.facts = { handSet: left }
    await scope.update(stepRuns, { id: step.runId }, { facts: step.facts })
  }
  return steps
}
