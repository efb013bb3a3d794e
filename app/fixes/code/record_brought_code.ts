import type { Job } from '#foundation/jobs/handlers'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { Conflict } from '#version_control/code_commands'
import type { TimelineOnlyType } from '#releases/vocabulary'
import { codeKind } from '#features/work_kinds'
import { followFixes, planFollow } from './follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import type { Pick } from '../tables.js'
import type { pickKind } from '../work_kinds.js'

type Payload = PayloadOf<typeof pickKind>

/** The timeline entry about a pick that succeeded or failed. */
export interface PickEntry {
  type: TimelineOnlyType
  title: string
}

export const hasFailed = ({ state }: Pick): boolean => state === 'conflict' || state === 'failed'

export const conflictPick = ({ files }: Conflict): Pick => ({
  state: 'conflict',
  files: files.slice(0, 1000),
  reason: `these files are in conflict: ${files.join(', ')}`.slice(0, 1000),
})

/** Records the result of a pick, and re-evaluates the fix requests of the release. */
export async function recordPick<Own extends Payload>(
  scope: Scope,
  { subject, payload }: Job<Own>,
  pick: Pick,
  report: (payload: Own, title: string, pick: Pick) => PickEntry
): Promise<void> {
  const release = await releaseStillThere(scope, payload.appId, payload.releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const { branch, commit, connectionId: connection } = payload
  request.picks = { ...request.picks, [commit]: pick }
  const isFailure = hasFailed(pick)
  if (isFailure && request.status === 'approved') request.status = 'failed'
  await request.useTransaction(scope.transaction).save()
  const { type, title } = report(payload, request.title, pick)
  const details = isFailure
    ? { connection, files: pick.files ?? [] }
    : { pickedAs: pick.pickedAs ?? null }
  recordReleaseEvent(scope, release, {
    type,
    title: title.slice(0, 1000),
    data: { fixRequestId: request.id, branch, commitHash: commit, ...details },
    payload: null,
  })
  await followFixes(scope, release)
}

/**
 * Records that a pick was dropped before the host was called. If it is still needed, it is
 * requested again: at once, or after the next poll of the branch if the branch was missing.
 */
export async function recordUnasked(
  scope: Scope,
  { subject, payload: { appId, releaseId, commit } }: Job<Payload>,
  isBranchMissing: boolean
): Promise<void> {
  const release = await releaseStillThere(scope, appId, releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const before = request.picks[commit]
  const pick: Pick = { state: 'unasked', unasked: 1 + (before?.unasked ?? 0) }
  request.picks = { ...request.picks, [commit]: isBranchMissing ? { ...pick, isAway: true } : pick }
  await request.useTransaction(scope.transaction).save()
  if (release.status !== 'active' || !['approved', 'failed'].includes(request.status)) return
  if (!isBranchMissing) await planFollow(scope, release)
  // Only the first miss polls at once; later ones wait for the next regular poll.
  else if (!before?.isAway) await scope.jobs.move(codeKind, releaseId, scope.now)
}
