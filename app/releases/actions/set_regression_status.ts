import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import type { CurrentRun } from '../queries/find_current_run.js'
import type { UpdateRegressionStatusInput } from '../validators/step_input.js'
import { demandOpen } from './demand_open.js'
import { settle } from './settle.js'

/**
 * Gives regression runs a status by hand, which stands over their items. The same status
 * with the same words again changes nothing.
 */
export class SetRegressionStatus {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    runs: readonly CurrentRun[],
    input: UpdateRegressionStatusInput
  ): Promise<void> {
    const { scope } = this
    demandOpen(release)
    let changes = false
    for (const { run } of runs) {
      const { handSet, comment = null, url = null } = run.facts
      const wanted = {
        handSet: input.status,
        comment: input.comment === undefined ? comment : input.comment,
        url: input.url === undefined ? url : input.url,
      }
      if (handSet === wanted.handSet && comment === wanted.comment && url === wanted.url) continue
      run.facts = { ...run.facts, ...wanted, setBy: scope.actor, setAt: scope.now }
      await run.useTransaction(scope.transaction).save()
      changes = true
    }
    if (changes) await settle(scope, release)
  }
}
