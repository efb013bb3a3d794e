import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releaseSteps, stepRuns } from '../tables.js'

const STEPS = select(
  {
    ...of(releaseSteps, 's'),
    runId: as(text(), 'n.id'),
    ...of(stepRuns, 'n', ['attempt', 'facts', 'notes']),
  },
  `from release_steps s join step_runs n on n.id = s.step_run_id
  where s.organization_id = :org and s.release_id = :releaseId
  order by s.group_index, s.position, s.id`
)

/** A step of a release with its current run. */
export type StepRow = RowOfSelect<typeof STEPS>

/** Returns the steps of a release in the order of the workflow. */
export function stepRows(scope: Scope, releaseId: string): Promise<StepRow[]> {
  return scope.rows(STEPS, { releaseId })
}
