import type { ReleaseCode } from '#features/queries/release_code'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { approvalsMissing, standingApprovals } from '../requests/fix_approvals.js'
import type FixRequest from '../models/fix_request.js'
import { wantedHead } from './wanted_code.js'

/**
 * Sets the commit up to which the working branch is merged for a request. If it is not the approved
 * one, the approvals fall, and the request is pending again.
 */
export async function pinMerge(
  scope: Scope,
  release: Release,
  request: FixRequest,
  code: ReleaseCode | null
): Promise<void> {
  const { mergeHead: from, title } = request
  const head = wantedHead(request, code)
  if (head === from) return
  const given = standingApprovals(request).length
  request.mergeHead = head
  if (request.status === 'approved' && approvalsMissing(request) > 0) {
    request.merge({ status: 'pending', approvedAt: null })
  }
  await request.useTransaction(scope.transaction).save()
  // A long title leaves room for the commit.
  const fix = title.slice(0, 900)
  const about = { fixRequestId: request.id, mergeHead: { from, to: head } }
  const now = head === null ? 'nothing that is known yet' : `everything up to ${head.slice(0, 12)}`
  if (given > 0) {
    recordReleaseEvent(scope, release, {
      type: 'fix.approvalsFell',
      title: `Approvals of the fix ${fix} no longer count: it now merges ${now}`,
      data: { ...about, approvals: { fallen: given } },
      payload: null,
    })
  } else if (head !== null && request.status === 'pending') {
    // Chats learn of it by this event, and show a button that approves the commit.
    recordReleaseEvent(scope, release, {
      type: 'fix.mergeKnown',
      title: `The fix ${fix} can be approved: it merges ${now}`,
      data: about,
      payload: null,
    })
  }
}
