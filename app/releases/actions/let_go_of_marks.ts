import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import { handSetAfterItemChange } from '../engine/item_step_rules.js'
import type Release from '../models/release.js'
import { stepRows, type StepRow } from '../queries/step_rows.js'
import { stepRuns } from '../tables.js'

/** A run's hand-set mark of progress gives way to its items once one of them changes. */
export class LetGoOfMarks {
  constructor(private readonly scope: Scope) {}

  /**
   * @param stepIds the steps whose items changed
   * @returns the release's steps as they are then
   */
  async handle(release: Release, stepIds: ReadonlySet<string>): Promise<StepRow[]> {
    const { scope } = this
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
}
