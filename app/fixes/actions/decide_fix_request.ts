import type { Actor } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { sameActor } from '#organizations/queries/same_actor'
import { actorOnBehalfOf } from '#organizations/queries/on_behalf_of'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { approvalsMissing, contentHash, standingApprovals } from '../requests/fix_approvals.js'
import { planFollow, planFollowIfOpen } from '../code/follow_fixes.js'
import type FixRequest from '../models/fix_request.js'
import { recordFixEvent } from '../requests/record_fix_event.js'
import type { Verdict } from '../tables.js'
import { freeIssue } from '../triage/triage_fixes.js'
import type { ApprovalInput, VerdictInput } from '../validators/fix_input.js'

/** Approves or rejects a fix request, for the API key itself or on behalf of a person. */
export class DecideFixRequest {
  constructor(private readonly scope: Scope) {}

  /**
   * Records an approval. Each person counts once; a request with enough approvals is approved. An
   * approval of a merge applies only to the commit that the person has seen.
   * @param hasRead true if the HTTP request proves that its sender read the current state
   * @throws fix_request_closed, release_completed, release_skipped, invalid_input,
   *   action_missing, four_eyes, precondition_required, precondition_failed
   */
  async approve(
    release: Release,
    request: FixRequest,
    input: ApprovalInput,
    hasRead: boolean
  ): Promise<void> {
    const { scope } = this
    requireOpen(release)
    this.#requireUndecided(request, ['rejected', 'merged'])
    this.#requireCurrentCommit(request, input, hasRead)
    const by = await this.#voter(input)
    const same = await sameActor(scope)
    const approvals = standingApprovals(request)
    if (approvals.some(({ actor }) => same(actor, by))) return
    await this.#requireFourEyes(request, by)
    request.approvals = [...approvals, this.#verdict(request, input, by)]
    const isNowApproved = request.status === 'pending' && approvalsMissing(request) === 0
    if (isNowApproved) request.merge({ status: 'approved', approvedAt: scope.now })
    await request.useTransaction(scope.transaction).save()
    if (isNowApproved && request.workItemId !== null) await planFollow(scope, release)
    const data = {
      ...this.#onBehalfOf(by),
      comment: input.comment ?? null,
      approvals: { given: request.approvals.length, required: request.requiredApprovals },
    }
    recordFixEvent(
      scope,
      release,
      request,
      isNowApproved
        ? { type: 'fixRequest.approved', title: `Fix approved: ${request.title}`, data }
        : { type: 'approval.given', title: `${by.name} approved the fix ${request.title}`, data }
    )
  }

  /**
   * Rejects a request, regardless of its approvals, and reopens its triage issue.
   * @throws fix_request_closed, release_completed, release_skipped, invalid_input, action_missing
   */
  async reject(release: Release, request: FixRequest, input: VerdictInput): Promise<void> {
    const { scope } = this
    requireOpen(release)
    this.#requireUndecided(request, ['merged'])
    const by = await this.#voter(input)
    if (request.status === 'rejected') return
    request.merge({
      status: 'rejected',
      rejections: [...request.rejections, this.#verdict(request, input, by)],
      rejectedAt: scope.now,
      rejectionReason: input.comment ?? null,
    })
    await request.useTransaction(scope.transaction).save()
    recordFixEvent(scope, release, request, {
      type: 'fixRequest.rejected',
      title: `Fix rejected: ${request.title}`,
      data: { ...this.#onBehalfOf(by), comment: input.comment ?? null },
    })
    await freeIssue(scope, request)
    await planFollowIfOpen(scope, release)
  }

  async #voter({ userEmail }: VerdictInput): Promise<Actor> {
    return userEmail ? actorOnBehalfOf(this.scope, 'ApproveFixes', userEmail) : this.scope.actor
  }

  #verdict(request: FixRequest, { comment = null }: VerdictInput, by: Actor): Verdict {
    const { actor, now } = this.scope
    const requested = by === actor ? {} : { askedBy: actor }
    return { actor: by, ...requested, at: now, comment, hash: contentHash(request) }
  }

  /**
   * Checks that a vote is not stale: the commit to merge may have changed since the voter read it.
   * The vote names the commit, or proves that the current state was read.
   * @throws precondition_required, precondition_failed
   */
  #requireCurrentCommit(
    { mergeHead, title }: FixRequest,
    input: ApprovalInput,
    hasRead: boolean
  ): void {
    const named = input.mergesCommit ?? null
    if (named === mergeHead || (named === null && hasRead)) return
    const current = mergeHead === null ? 'an unknown commit' : mergeHead
    if (named !== null) {
      throw refuse('precondition_failed', {
        detail: `"${title}" now merges ${current}. Read it again before you vote.`,
      })
    }
    throw refuse('precondition_required', {
      detail: `"${title}" merges ${current}. Send that commit as mergesCommit, or the ETag that you read as If-Match.`,
    })
  }

  /** @throws fix_request_closed */
  #requireUndecided({ status, title }: FixRequest, closed: readonly FixRequest['status'][]) {
    if (!closed.includes(status)) return
    throw refuse('fix_request_closed', {
      detail: `"${title}" is ${status}: it can no longer be approved or rejected.`,
      currentStatus: status,
      allowedActions: [],
    })
  }

  /**
   * Refuses approval by the requester. An API key that requested the fix for itself may not approve
   * it on behalf of somebody, nor the other way round.
   * @throws four_eyes
   */
  async #requireFourEyes({ fourEyes, requester, askedBy, title }: FixRequest, by: Actor) {
    if (!fourEyes) return
    const same = await sameActor(this.scope)
    const isOwn =
      same(requester, by) ||
      same(requester, this.scope.actor) ||
      (askedBy !== null && same(askedBy, by))
    if (!isOwn) return
    throw refuse('four_eyes', {
      detail: `${requester.name} requested "${title}": somebody else has to approve it.`,
    })
  }

  #onBehalfOf(by: Actor) {
    return by === this.scope.actor ? {} : { onBehalfOf: by }
  }
}
