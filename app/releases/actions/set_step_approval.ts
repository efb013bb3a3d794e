import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ApprovalsFacts, ListingFacts } from '../engine/facts.js'
import { isDone } from '../engine/items.js'
import type Release from '../models/release.js'
import { currentRunsOfType, findCurrentRun, type CurrentRun } from '../queries/find_current_run.js'
import type { UpdateApprovalInput } from '../validators/step_input.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { loadFacts } from '../queries/load_facts.js'
import { contentHash } from '../texts/store_texts.js'
import { requireOpen } from '../preconditions/require_open.js'

/** Types whose steps may all be approved at once. */
const APPROVED_TOGETHER = ['screenshots', 'metadata'] as const

/**
 * Approves runs of screenshots, metadata or approvals steps, or withdraws the approval, which is
 * bound to a hash of the texts and does not survive a change of them.
 */
export class SetStepApproval {
  constructor(private readonly scope: Scope) {}

  /**
   * Sets the approval of one run.
   * @throws not_found, step_type_mismatch, step_run_superseded, approvals_missing
   */
  async ofRun(release: Release, stepRunId: string, input: UpdateApprovalInput): Promise<void> {
    const types = [...APPROVED_TOGETHER, 'approvals'] as const
    const run = await findCurrentRun(this.scope, release, stepRunId, types)
    await this.#approve(release, [run], input)
  }

  /** Sets the approval of every step of a type. @throws invalid_input, step_type_mismatch */
  async ofType(release: Release, stepType: string, input: UpdateApprovalInput): Promise<void> {
    const type = APPROVED_TOGETHER.find((each) => each === stepType)
    if (!type) {
      throw refuse('invalid_input', {
        detail: 'Only metadata and screenshots are approved this way.',
        errors: [{ parameter: 'stepType', code: 'enum', message: 'metadata or screenshots' }],
      })
    }
    await this.#approve(release, await currentRunsOfType(this.scope, release, type), input)
  }

  async #approve(
    release: Release,
    runs: readonly CurrentRun[],
    input: UpdateApprovalInput
  ): Promise<void> {
    const { scope } = this
    requireOpen(release)
    let isChanged = false
    for (const { step, run } of runs) {
      const before = approvalOf(run)
      const { notes } = run
      const comment = input.comment === undefined ? (notes.comment ?? null) : input.comment
      const isNewDecision = before !== input.approved
      if (!isNewDecision && (notes.comment ?? null) === comment) continue
      if (isNewDecision && step.type === 'approvals' && input.approved) {
        await this.#requireItemsApproved(release, step, before)
      }
      run.facts =
        step.type === 'approvals'
          ? { handSet: input.approved }
          : { ...(run.facts as ListingFacts), approved: input.approved }
      run.notes = {
        ...notes,
        comment,
        // A changed comment does not change the person who decided.
        ...(isNewDecision && {
          decidedBy: scope.actor,
          decidedAt: scope.now,
          approvedHash: input.approved ? contentHash(notes.localizations ?? []) : null,
        }),
      }
      await run.useTransaction(scope.transaction).save()
      isChanged = true
      const done = input.approved ? 'approved' : 'set back to not approved'
      recordReleaseEvent(scope, release, {
        type: isNewDecision ? approvalEntry(input.approved) : 'step.commented',
        title: isNewDecision
          ? `${step.name} was ${done}`
          : `${step.name}: the comment on its approval changed`,
        stepConfigId: step.stepConfigId,
        data: { stepRunId: run.id, comment },
        payload: null,
      })
    }
    if (isChanged) scope.touch(release)
  }

  /**
   * Checks that approving an approvals step as a whole does not bypass its required items, each of
   * which has its own approvers.
   * @throws approvals_missing with the items that are not approved
   */
  async #requireItemsApproved(
    release: Release,
    step: CurrentRun['step'],
    before: boolean | null
  ): Promise<void> {
    const { facts } = await loadFacts(this.scope, release)
    const open = facts.items.filter(
      (item) =>
        item.stepId === step.id && item.kind === 'approval' && item.required && !isDone(item)
    )
    if (open.length === 0) return
    throw refuse('approvals_missing', {
      detail: `${open.length} required approvals are missing; the first is "${open[0].title}".`,
      currentStatus: step.status,
      allowedActions: before === false ? [] : ['withdrawApproval'],
      members: { items: open.map(({ id, title, status }) => ({ id, title, status })) },
    })
  }
}

const approvalEntry = (approved: boolean) => (approved ? 'step.approved' : 'step.approvalWithdrawn')

/**
 * Returns whether a person approved the run (true) or withdrew the approval (false); null for
 * neither.
 */
function approvalOf({ facts }: CurrentRun['run']): boolean | null {
  return 'approved' in facts ? facts.approved : (facts as ApprovalsFacts).handSet
}
