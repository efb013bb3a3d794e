import { storeKindOfApp } from '#apps/queries/app_summary'
import { recordAppEvent } from '#apps/record_app_event'
import { releaseFeaturesOf } from '#features/queries/release_features'
import type { EventSubscriber } from '#foundation/core/events/subscribers'
import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import Release from '#releases/models/release'
import { isEnded } from '#releases/lifecycle/open_releases'
import type { FixRequestRow } from '../requests/fix_approvals.js'
import FixRequest from '../models/fix_request.js'
import TriageIssue from '../models/triage_issue.js'
import type { TriageStatus } from '../vocabulary.js'

/** Reopens the issue that a request no longer answers. */
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

/** Sets the status of an issue, and the request that answers it. */
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

/** Events after which the issues that a release answers may have to change. */
const TURNS: readonly string[] = [
  'release.released',
  'release.updated',
  'release.skipped',
  'release.unskipped',
]

/**
 * Resolves issues once their fix is with users. If the release ends without the fix, they are
 * reopened; if it is then taken up again, they are answered as before.
 */
export const answeredByReleases: EventSubscriber = {
  async handle(scope, recorded) {
    const turned = recorded.filter(({ type, data }) => TURNS.includes(type) && isTurn(type, data))
    for (const id of new Set(turned.flatMap(({ releaseId }) => releaseId ?? []))) {
      const release = await scope.query(Release).where({ id }).first()
      if (release) await settleIssues(scope, release)
    }
  },
}

const isTurn = (type: string, data: EventDraft['data']) =>
  type !== 'release.updated' || data?.status !== undefined

async function settleIssues(scope: Scope, release: Release): Promise<void> {
  const requests = await scope
    .query(FixRequest)
    .where({ releaseId: release.id })
    .whereNotNull('triageIssueId')
    .whereNot('status', 'rejected')
    .exec()
  if (requests.length === 0) return
  const isOver = isEnded(release)
  for (const request of requests) {
    const issue = await scope.query(TriageIssue).where({ id: request.triageIssueId! }).first()
    const isAnswered = issue?.status === 'fixRequested' && issue.fixRequestId === request.id
    const wasFreed = issue?.status === 'open' && issue.fixRequestId === null
    if (isAnswered && (await hasShipped(scope, release, request))) {
      await answerIssue(scope, issue, 'resolved', request.id)
    } else if (isAnswered && isOver) {
      await answerIssue(scope, issue, 'open', null)
    } else if (wasFreed && !isOver && release.releasedAt === null) {
      await answerIssue(scope, issue, 'fixRequested', request.id)
    }
  }
}

/**
 * Returns whether users have what a request brought. Code that came after the release counts once
 * that is complete, because a store accepts another build of a version; unknown code counts as
 * brought once it is approved.
 */
async function hasShipped(scope: Scope, release: Release, request: FixRequest): Promise<boolean> {
  const { releasedAt, status, appId, id } = release
  if (releasedAt === null || status === 'skipped') return false
  const { mergedAt } = request
  if (request.status === 'merged') {
    if (mergedAt === null || mergedAt <= releasedAt) return true
    return status === 'completed' && (await storeKindOfApp(scope, appId)) !== 'apple'
  }
  if (request.status !== 'approved') return false
  if (request.workItemId === null) return true
  return ((await releaseFeaturesOf(scope, id))?.codeSeenAt ?? null) === null
}
