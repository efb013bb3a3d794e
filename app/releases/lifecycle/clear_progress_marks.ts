import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import { handSetAfterItemChange } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import { stepRows } from '../queries/step_rows.js'
import { stepRuns } from '../tables.js'

/**
 * Clears hand-set marks of progress from regression runs: they give way to the items of the
 * run once one of them changes.
 * @param stepIds the steps whose items changed
 */
export async function clearProgressMarks(
  scope: Scope,
  release: Release,
  stepIds: ReadonlySet<string>
): Promise<void> {
  if (stepIds.size === 0) return
  for (const step of await stepRows(scope, release.id)) {
    if (step.type !== 'regressionTesting' || !stepIds.has(step.id)) continue
    const { handSet } = step.facts as RegressionTestingFacts
    const left = handSetAfterItemChange(handSet)
    if (left === handSet) continue
    await scope.update(stepRuns, { id: step.runId }, { facts: { handSet: left } })
  }
}
