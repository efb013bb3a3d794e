import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Actor } from '#foundation/core/principal'
import { recordAudit } from '#organizations/audit'
import { findPerson } from '#organizations/queries/find_person'
import { sameActor } from '#organizations/queries/same_actor'
import { approvedContent } from '#releases/approvals/approved_content'
import type { ApprovedContent } from '#releases/extensions'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { rulesOf, statusByVotes, type Vote } from '../approvals/approvals.js'
import type { ChecklistItemEntity } from '../entities.js'
import { findVoter } from '../queries/find_voter.js'
import type { ReleaseItem } from '../queries/find_release_items.js'
import { recordApproval } from '../release_items/record_item_event.js'
import type { StatusInput } from '../validators/item_inputs.js'
import { owns } from '../release_items/require_item_action.js'
import { setItemStatuses } from '../release_items/set_item_statuses.js'

/**
 * Sets the status of an approval. `approved` is the vote of one person for the current content of
 * the release. Any other new status withdraws all votes. A repeated vote or an unchanged status
 * only updates the comment.
 */
export class SetApprovalStatus {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input, action_missing, admin_required, four_eyes, conflict */
  async handle(
    release: Release,
    current: ReleaseItem,
    input: StatusInput
  ): Promise<ChecklistItemEntity> {
    this.#requireMayBreakGlass(input)
    const by = input.userEmail
      ? await findVoter(this.scope, current.item, release.pilotId, input.userEmail)
      : this.scope.actor
    if (await this.#isRepeated(current, input, by)) {
      return this.#store(release, {
        current,
        comment: input.comment,
        by,
        details: this.#onBehalfOf(by),
      })
    }
    return input.status === 'approved'
      ? this.#approve(release, current, input, by)
      : this.#withdrawVotes(release, current, input, by)
  }

  /**
   * Returns whether the item already has the requested status or vote.
   * @throws conflict when an approval that is already given would be overridden
   */
  async #isRepeated({ item, votes }: ReleaseItem, { status, breakGlass }: StatusInput, by: Actor) {
    if (status !== 'approved') return status === item.status!.type
    const same = await sameActor(this.scope)
    const own = votes.filter(({ actor }) => same(actor, by))
    if (!breakGlass) return own.length > 0
    const { reason } = breakGlass
    if (own.some(({ brokenGlass, comment }) => brokenGlass && comment === reason)) return true
    this.#requireNotApproved(item)
    return false
  }

  async #approve(release: Release, current: ReleaseItem, input: StatusInput, by: Actor) {
    const { scope } = this
    const { item } = current
    const content = approvedContent(release, await stepRows(scope, release.id))
    const vote: Vote = {
      actor: by,
      ...(by !== scope.actor && { askedBy: scope.actor }),
      at: scope.now,
      comment: input.breakGlass?.reason ?? input.comment ?? null,
      hash: content.hash,
      ...(input.breakGlass && { brokenGlass: true }),
    }
    if (input.breakGlass) await this.#breakGlass(release, item, input.breakGlass.reason, by)
    else {
      await this.#requireFourEyes(current, content, by)
      await this.#requireOwner(release, current, input)
    }

    const votes = [...current.votes, vote]
    const status = statusByVotes(rulesOf(item), votes)
    const details = {
      ...this.#onBehalfOf(by),
      approvals: { given: votes.length, required: rulesOf(item).requiredApprovals },
    }
    if (status === item.status!.type) {
      const comment = vote.comment
      recordApproval(scope, release, {
        type: 'approval.given',
        title: `${by.name} approved ${item.title}`,
        item,
        details: { comment, ...details },
      })
    }
    const { comment } = input
    return this.#store(release, { current, status, comment, by, votes, details, isReported: true })
  }

  async #withdrawVotes(release: Release, current: ReleaseItem, input: StatusInput, by: Actor) {
    const { status, comment } = input
    const details = this.#onBehalfOf(by)
    return this.#store(release, { current, status, comment, by, votes: [], details })
  }

  async #store(release: Release, change: Parameters<typeof setItemStatuses>[2][number]) {
    const [entity] = await setItemStatuses(this.scope, release, [change])
    return entity
  }

  /** @throws four_eyes */
  async #requireFourEyes({ item }: ReleaseItem, { authors }: ApprovedContent, by: Actor) {
    if (!item.fourEyes) return
    const same = await sameActor(this.scope)
    // A key that is an author cannot approve on behalf of somebody else either.
    const approvers = [by, this.scope.actor]
    for (const { actor, did } of authors) {
      if (!approvers.some((each) => same(actor, each))) continue
      throw refuse('four_eyes', {
        detail: `${actor.name} ${did}: somebody else has to approve "${item.title}".`,
      })
    }
  }

  /**
   * A demanded approval needs one of its owners, not just anybody who may approve. Only an admin
   * key or another owner may vote on behalf of an owner.
   * @throws action_missing
   */
  async #requireOwner({ pilotId }: Release, { item }: ReleaseItem, { userEmail }: StatusInput) {
    const { demand, owners, title } = item
    if (!demand || owners.length === 0) return
    const { scope } = this
    const person = userEmail ? await findPerson(scope, userEmail) : null
    const voter = person
      ? {
          actor: { type: 'user' as const, id: person.id, name: person.email },
          permissions: { ...scope.permissions, groupIds: person.groupIds },
        }
      : scope
    const isAdminKey = scope.permissions.admin && scope.actor.type !== 'user'
    const maySpeakForOwners = isAdminKey || owns(scope, owners, pilotId)
    const isOwnVote = voter.actor.id === scope.actor.id
    if (owns(voter, owners, pilotId) && (maySpeakForOwners || isOwnVote)) return
    const names = owners.map(({ name }) => name).join(' or ')
    throw refuse('action_missing', {
      detail: `"${title}" has to be approved by ${names}: ask one of them. An admin can break the glass.`,
    })
  }

  /** @throws admin_required */
  #requireMayBreakGlass({ breakGlass }: StatusInput) {
    if (!breakGlass) return
    if (!this.scope.permissions.admin) throw refuse('admin_required')
  }

  /** @throws conflict */
  #requireNotApproved({ status, title }: ChecklistItemEntity) {
    if (status!.type !== 'approved') return
    throw refuse('conflict', {
      detail: `"${title}" is already approved: there is no need to break the glass.`,
      currentStatus: 'approved',
      allowedActions: ['notStarted', 'inProgress', 'rejected', 'blocked'],
    })
  }

  /** Records an approval against the rules, with its reason, in the audit and the timeline. */
  async #breakGlass(release: Release, item: ChecklistItemEntity, reason: string, by: Actor) {
    const { scope } = this
    const details = { reason, ...this.#onBehalfOf(by) }
    await recordAudit(scope, {
      action: 'approval.brokenGlass',
      subject: item.id,
      data: { releaseId: release.publicId, title: item.title, ...details },
    })
    recordApproval(scope, release, {
      type: 'approval.brokenGlass',
      title: `${by.name} approved ${item.title} against the rules`,
      item,
      details,
    })
  }

  /** Returns data for the timeline if the key acts for a person. */
  #onBehalfOf(by: Actor) {
    return by === this.scope.actor ? {} : { onBehalfOf: by }
  }
}
