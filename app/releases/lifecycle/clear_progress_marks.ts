import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import { handSetAfterItemChange } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import { stepRuns } from '../tables.js'

/** The current regression runs of the given steps. */
const RUNS = select(
  { runId: as(text(), 'n.id'), ...of(stepRuns, 'n', ['facts']) },
  `from release_steps s join step_runs n on n.id = s.step_run_id
  where s.organization_id = :org and s.release_id = :releaseId
    and s.type = 'regressionTesting' and s.id in json(:stepIds)`
)

/**
 * Clears a status that is only a progress mark from regression runs after one of their items
 * changed, so that the status follows from the items again. Verdicts stay.
 * @param stepIds the steps whose items changed
 */
export async function clearProgressMarks(
  scope: Scope,
  release: Release,
  stepIds: ReadonlySet<string>
): Promise<void> {
  if (stepIds.size === 0) return
  const wanted = { releaseId: release.id, stepIds: JSON.stringify([...stepIds]) }
  for (const { runId, facts } of await scope.rows(RUNS, wanted)) {
    const { handSet } = facts as RegressionTestingFacts
    const remaining = handSetAfterItemChange(handSet)
    if (remaining === handSet) continue
    await scope.update(stepRuns, { id: runId }, { facts: { handSet: remaining } })
  }
}
