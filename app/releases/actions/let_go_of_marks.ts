import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import { handSetAfterItemChange } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import { stepRuns } from '../tables.js'

const REGRESSION_RUNS = select(
  of(stepRuns, 'n', ['id', 'stepId', 'facts']),
  `from release_steps s join step_runs n on n.id = s.step_run_id
  where s.organization_id = :org and s.release_id = :releaseId and s.type = 'regressionTesting'`
)

/** A run's hand-set mark of progress gives way to its items once one of them changes. */
export class LetGoOfMarks {
  constructor(private readonly scope: Scope) {}

  /** @param stepIds the steps whose items changed */
  async handle(release: Release, stepIds: ReadonlySet<string>): Promise<void> {
    const { scope } = this
    if (stepIds.size === 0) return
    for (const run of await scope.rows(REGRESSION_RUNS, { releaseId: release.id })) {
      if (!stepIds.has(run.stepId)) continue
      const { handSet } = run.facts as RegressionTestingFacts
      const left = handSetAfterItemChange(handSet)
      if (left !== handSet) {
        await scope.update(stepRuns, { id: run.id }, { facts: { handSet: left } })
      }
    }
  }
}
