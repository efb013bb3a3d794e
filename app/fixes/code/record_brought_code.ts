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

/** The timeline entry about code that was, or was not, brought in. */
export interface BroughtEntry {
  type: TimelineOnlyType
  title: string
}

export const isBad = ({ state }: Pick): boolean => state === 'conflict' || state === 'failed'

export const inConflict = ({ files }: Conflict): Pick => ({
  state: 'conflict',
  files: files.slice(0, 1000),
  reason: `these files are in conflict: ${files.join(', ')}`.slice(0, 1000),
})

/** Records the result of bringing in a commit, and follows the requests of the release. */
export async function recordBroughtCode<Given extends Payload>(
  scope: Scope,
  { subject, payload }: Job<Given>,
  pick: Pick,
  report: (payload: Given, title: string, pick: Pick) => BroughtEntry
): Promise<void> {
  const release = await releaseStillThere(scope, payload.appId, payload.releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const { branch, commit, connectionId: connection } = payload
  request.picks = { ...request.picks, [commit]: pick }
  const hasFailed = isBad(pick)
  if (hasFailed && request.status === 'approved') request.status = 'failed'
  await request.useTransaction(scope.transaction).save()
  const { type, title } = report(payload, request.title, pick)
  const about = hasFailed
    ? { connection, files: pick.files ?? [] }
    : { pickedAs: pick.pickedAs ?? null }
  recordReleaseEvent(scope, release, {
    type,
    title: title.slice(0, 1000),
    data: { fixRequestId: request.id, branch, commitHash: commit, ...about },
    payload: null,
  })
  await followFixes(scope, release)
}

/**
 * Records that code was dropped before the host was asked. It is requested again if it is wanted by
 * now with another commit or branch; if its branch was missing, after a poll of the branch.
 */
export async function recordUnasked(
  scope: Scope,
  { subject, payload: { appId, releaseId, commit } }: Job<Payload>,
  isAway: boolean
): Promise<void> {
  const release = await releaseStillThere(scope, appId, releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const before = request.picks[commit]
  const pick: Pick = { state: 'unasked', unasked: 1 + (before?.unasked ?? 0) }
  request.picks = { ...request.picks, [commit]: isAway ? { ...pick, isAway } : pick }
  await request.useTransaction(scope.transaction).save()
  if (release.status !== 'active' || !['approved', 'failed'].includes(request.status)) return
  if (!isAway) await planFollow(scope, release)
  // The first time the branch is polled at once; later on, the next regular poll decides.
  else if (!before?.isAway) await scope.jobs.move(codeKind, releaseId, scope.now)
}
