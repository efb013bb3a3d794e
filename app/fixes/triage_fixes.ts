import { recordAppEvent } from '#apps/record_app_event'
import type { Scope } from '#foundation/core/scope'
import type { EventFollower } from '#foundation/core/events/followers'
import type { FixRequestRow } from './fix_approvals.js'
import TriageIssue from './models/triage_issue.js'
import type { TriageStatus } from './vocabulary.js'

/** Opens the issue again that a request answered and answers no more. */
export async function freeIssue(
  scope: Scope,
  request: Pick<FixRequestRow, 'id' | 'triageIssueId'>
): Promise<void> {
  if (request.triageIssueId === null) return
  const issue = await scope
    .query(TriageIssue)
    .where({ id: request.triageIssueId, fixRequestId: request.id })
    .first()
  if (issue) await answerIssue(scope, issue, 'open', null)
}

/** Says which request answers an issue, and what becomes of the issue by it. */
export async function answerIssue(
  scope: Scope,
  issue: TriageIssue,
  status: TriageStatus,
  fixRequestId: string | null
): Promise<void> {
  const from = { status: issue.status, fixRequestId: issue.fixRequestId }
  issue.merge({ status, fixRequestId, updatedAt: scope.now })
  await issue.useTransaction(scope.transaction).save()
  recordAppEvent(scope, issue.appId, {
    type: 'triageIssue.updated',
    title: `Triage issue ${issue.title}: ${from.status} → ${status}`,
    data: { triageIssueId: issue.id, from, to: { status, fixRequestId } },
  })
}

/** Issues are resolved once the release that their fix went into is with users. */
export const resolvedByRelease: EventFollower = {
  async follow(scope, recorded) {
    for (const { type, releaseId } of recorded) {
      if (type !== 'release.released' || releaseId === undefined) continue
      const shipped: { id: string }[] = await scope
        .table('fix_requests')
        .where('release_id', releaseId)
        .whereNotNull('triage_issue_id')
        .whereIn('status', ['approved', 'merged'])
        .select('id')
      const issues = await scope
        .query(TriageIssue)
        .where('status', 'fixRequested')
        .whereIn(
          'fixRequestId',
          shipped.map(({ id }) => id)
        )
        .exec()
      for (const issue of issues) await answerIssue(scope, issue, 'resolved', issue.fixRequestId)
    }
  },
}
