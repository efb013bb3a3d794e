import type { Scope } from '#foundation/core/scope'
import type { RegressionTestingFacts } from '../engine/facts.js'
import type Release from '../models/release.js'
import { currentRunsOfType, findCurrentRun, type CurrentRun } from '../queries/find_current_run.js'
import type { UpdateRegressionStatusInput } from '../validators/step_input.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { failedUnderVerdict } from '../engine/item_step_rules.js'
import { loadFacts } from '../queries/load_facts.js'
import { recordVerdictStands } from '../timeline/record_verdict.js'
import { requireOpen } from '../preconditions/require_open.js'

/**
 * Sets the status of regression runs by hand, regardless of their items. The timeline records it,
 * even if only the comment or the URL changes. Idempotent.
 */
export class SetRegressionStatus {
  constructor(private readonly scope: Scope) {}

  /**
   * Sets the status of every regression step.
   * @throws step_type_mismatch, release_completed, release_skipped
   */
  async ofRelease(release: Release, input: UpdateRegressionStatusInput): Promise<void> {
    await this.#set(
      release,
      await currentRunsOfType(this.scope, release, 'regressionTesting'),
      input
    )
  }

  /**
   * Sets the status of one run.
   * @throws not_found, step_type_mismatch, step_run_superseded, release_completed, release_skipped
   */
  async ofRun(
    release: Release,
    stepRunId: string,
    input: UpdateRegressionStatusInput
  ): Promise<void> {
    const run = await findCurrentRun(this.scope, release, stepRunId, ['regressionTesting'])
    await this.#set(release, [run], input)
  }

  async #set(
    release: Release,
    runs: readonly CurrentRun[],
    input: UpdateRegressionStatusInput
  ): Promise<void> {
    const { scope } = this
    requireOpen(release)
    let isChanged = false
    const { facts } = await loadFacts(scope, release)
    for (const { step, run } of runs) {
      const { handSet } = run.facts as RegressionTestingFacts
      const { comment = null, url = null } = run.notes
      const next = {
        handSet: input.status,
        comment: input.comment === undefined ? comment : input.comment,
        url: input.url === undefined ? url : input.url,
      }
      if (handSet === next.handSet && comment === next.comment && url === next.url) continue
      const isVerdict = handSet !== next.handSet
      run.facts = { handSet: next.handSet }
      run.notes = {
        ...run.notes,
        comment: next.comment,
        url: next.url,
        ...(isVerdict && { setBy: scope.actor, setAt: scope.now }),
      }
      await run.useTransaction(scope.transaction).save()
      isChanged = true
      recordReleaseEvent(scope, release, {
        type: isVerdict ? 'step.regressionStatusSet' : 'step.commented',
        title: isVerdict
          ? `${step.name} was set to ${next.handSet} by hand`
          : `${step.name}: status comment changed`,
        stepConfigId: step.stepConfigId,
        data: {
          stepRunId: run.id,
          ...(isVerdict && { from: handSet, to: next.handSet }),
          comment: next.comment,
          url: next.url,
        },
        payload: null,
      })
      const items = facts.items.filter(({ stepId }) => stepId === step.id)
      const failed = isVerdict ? failedUnderVerdict({ handSet: next.handSet }, items) : 0
      if (failed > 0) {
        recordVerdictStands(scope, release, { ...step, notes: run.notes }, failed)
      }
    }
    if (isChanged) scope.touch(release)
  }
}
