import type { Entry } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import type { Conflict } from '#releases/version_control/code_wishes'
import type { TimelineOnlyType } from '#releases/vocabulary'
import { followFixes, planFollow } from './follow_fixes.js'
import FixRequest from './models/fix_request.js'
import type { Pick } from './tables.js'
import type { pickKind } from './work_kinds.js'

type Payload = PayloadOf<typeof pickKind>

/** What the timeline tells of how code was brought in, or was not. */
export interface Told {
  type: TimelineOnlyType
  title: string
}

export const isBad = ({ state }: Pick): boolean => state === 'conflict' || state === 'failed'

export const inConflict = ({ files }: Conflict): Pick => ({
  state: 'conflict',
  files: files.slice(0, 1000),
  reason: `these files are in conflict: ${files.join(', ')}`.slice(0, 1000),
})

/**
 * Notes what became of code that was to be brought in, and what follows from it; null where it was
 * let be before anybody was asked.
 */
export async function noteBrought<Given extends Payload>(
  scope: Scope,
  { subject, payload }: Entry<Given>,
  pick: Pick | null,
  tell: (payload: Given, title: string, pick: Pick) => Told
): Promise<void> {
  const release = await releaseStillThere(scope, payload.appId, payload.releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const { branch, commit, connectionId: connection } = payload
  const { [commit]: before, ...others } = request.picks
  const unasked = 1 + (before?.unasked ?? 0)
  request.picks = { ...others, [commit]: pick ?? { state: 'unasked', unasked } }
  const hasFailed = pick !== null && isBad(pick)
  if (hasFailed && request.status === 'approved') request.status = 'failed'
  await request.useTransaction(scope.transaction).save()
  if (pick === null) {
    // It may be wanted again since, or by another commit.
    const isOpen = request.status === 'approved' && release.status === 'active'
    if (isOpen) await planFollow(scope, release)
    return
  }
  const { type, title } = tell(payload, request.title, pick)
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
