import { itemFacts } from '#checklists/queries/item_facts'
import { isItemDone } from '#checklists/vocabulary'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'
import type { CurrentRun } from '../queries/find_current_run.js'
import type { UpdateApprovalInput } from '../validators/step_input.js'
import { recordReleaseEvent } from '../record.js'
import { contentHash } from '../store_texts.js'
import { demandOpen } from './demand_open.js'
import { settle } from './settle.js'

/**
 * Approves runs of screenshots, metadata or approvals steps, or withdraws that. What was
 * approved is bound by a hash: when the texts change, the approval falls.
 */
export class SetStepApproval {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    runs: readonly CurrentRun[],
    input: UpdateApprovalInput
  ): Promise<void> {
    const { scope } = this
    demandOpen(release)
    let changes = false
    for (const { step, run } of runs) {
      const member = step.type === 'approvals' ? 'handSet' : 'approved'
      const comment = input.comment === undefined ? (run.facts.comment ?? null) : input.comment
      const isSame = run.facts[member] === input.approved && (run.facts.comment ?? null) === comment
      if (isSame) continue
      if (step.type === 'approvals' && input.approved) {
        await this.#demandItemsApproved(release, step.id)
      }
      const flips = run.facts[member] !== input.approved
      run.facts = {
        ...run.facts,
        [member]: input.approved,
        comment,
        decidedBy: scope.actor,
        decidedAt: scope.now,
        approvedHash: input.approved ? contentHash(run.facts.localizations) : null,
      }
      await run.useTransaction(scope.transaction).save()
      changes = true
      if (!flips) continue
      recordReleaseEvent(scope, release, {
        type: input.approved ? 'step.approved' : 'step.approvalWithdrawn',
        title: `${step.name} was ${input.approved ? 'approved' : 'set back to not approved'}`,
        stepConfigId: step.step_config_id,
        data: { stepRunId: run.id, comment },
        payload: null,
      })
    }
    if (changes) await settle(scope, release)
  }

  /**
   * Required approvals are given one by one, each by who may; approving their step as a
   * whole must not pass them over.
   * @throws approvals_missing with the items that lack them.
   */
  async #demandItemsApproved(release: Release, stepId: string): Promise<void> {
    const items = await itemFacts(this.scope, release.id)
    const open = items.filter(
      (item) =>
        item.stepId === stepId &&
        item.kind === 'approval' &&
        item.required &&
        !isItemDone(item.kind, item.status)
    )
    if (open.length === 0) return
    throw refuse('approvals_missing', {
      detail: `${open.length} required approvals are missing; the first is "${open[0].title}".`,
      currentStatus: 'notApproved',
      allowedActions: [],
      members: { items: open.map(({ id, title, status }) => ({ id, title, status })) },
    })
  }
}
