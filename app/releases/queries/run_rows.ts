import { extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { releaseSteps, stepRuns } from '../tables.js'

const RUNS = select(
  { ...of(stepRuns, 'n'), ...of(releaseSteps, 's', ['stepConfigId', 'type']) },
  `from step_runs n join release_steps s on s.id = n.step_id
  where n.organization_id = :org and n.release_id = :releaseId`
)

/** A run with the step config and the type of its step. */
export type RunRow = RowOfSelect<typeof RUNS>

/** Selects a run by its id. */
export const RUN = extended(RUNS, 'and n.id = :stepRunId')

/** Selects the current run of a step of the workflow. */
export const CURRENT_RUN = extended(
  RUNS,
  'and s.step_config_id = :stepConfigId and s.step_run_id = n.id'
)
