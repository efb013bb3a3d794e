import type { Scope } from '#foundation/core/scope'
import type { StepPart } from '../engine/facts.js'
import type { StepRow } from '../queries/step_rows.js'
import { stepRuns } from '../tables.js'

/**
 * Records observed facts of the current run of a step. The status follows when the release is
 * derived.
 * @returns whether anything changed
 */
export async function recordRunFacts(
  scope: Scope,
  { runId, facts: before }: Pick<StepRow, 'runId' | 'facts'>,
  facts: StepPart['facts']
): Promise<boolean> {
  if (JSON.stringify({ ...before, ...facts }) === JSON.stringify(before)) return false
  await scope.update(stepRuns, { id: runId }, { facts })
  return true
}
