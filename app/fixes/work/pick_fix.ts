import { onWish, type CallContext, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { askCode, unlessConflicting, type Conflict } from '#releases/version_control/code_wishes'
import { followFixes } from '../follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import type { Pick } from '../tables.js'
import { pickKind } from '../work_kinds.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Payload = PayloadOf<typeof pickKind>
/** `unasked`: the request was rejected, or its release is over, before anybody was asked. */
type Picked = { sha: string } | { isThere: true } | { unasked: true } | Conflict

/** Picks a commit of an approved request; one that does not apply leaves nothing behind. */
export const pickFix = onWish(pickKind, {
  actor: 'version control',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] },
  // A repetition finds its commit by the trailer, or that nothing is left to pick.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(entry, context): Promise<Outcome<Picked>> {
    if (!(await isWanted(entry, context))) return { outcome: 'applied', answer: { unasked: true } }
    const { branch, commit } = entry.payload
    return askCode(entry, context, (versionControl) =>
      unlessConflicting<Picked>(async () => {
        try {
          const { idempotencyKey } = entry
          return await versionControl.cherryPick(commit, branch, branch, { idempotencyKey })
        } catch (error) {
          const isThere = isProviderError(error) && error.detail.reason === 'nothing_to_pick'
          if (isThere) return { isThere }
          throw error
        }
      })
    )
  },
  async answer(scope, entry, came: Picked) {
    if ('unasked' in came) return note(scope, entry, null)
    if ('files' in came) {
      return note(scope, entry, {
        state: 'conflict',
        files: came.files.slice(0, 1000),
        reason: `these files are in conflict: ${came.files.join(', ')}`.slice(0, 1000),
      })
    }
    const picked = 'sha' in came
    return note(scope, entry, picked ? { state: 'picked', pickedAs: came.sha } : { state: 'there' })
  },
  afterLast: (scope, entry, reason) =>
    note(scope, entry, { state: 'failed', reason: reason.slice(0, 1000) }),
})

async function isWanted({ subject, payload }: Entry<Payload>, { scope }: CallContext) {
  const request = await scope
    .table('fix_requests')
    .where('id', subject)
    .whereIn('status', ['approved', 'failed'])
    .select('id')
    .first()
  const release = await scope
    .table('releases')
    .where({ id: payload.releaseId, status: 'active' })
    .select('id')
    .first()
  return request !== null && release !== null
}

/** Notes what became of a pick, and what follows from it; null takes back that it was asked for. */
async function note(
  scope: Scope,
  { subject, payload }: Entry<Payload>,
  pick: Pick | null
): Promise<void> {
  const release = await releaseStillThere(scope, payload.appId, payload.releaseId)
  const request = await scope.query(FixRequest).where('id', subject).first()
  if (!release || !request) return
  const { branch, commit, connectionId: connection } = payload
  const others = Object.entries(request.picks).filter(([hash]) => hash !== commit)
  request.picks = Object.fromEntries(pick === null ? others : [...others, [commit, pick]])
  const isBad = pick?.state === 'conflict' || pick?.state === 'failed'
  if (isBad && request.status === 'approved') request.status = 'failed'
  await request.useTransaction(scope.transaction).save()
  if (pick === null) return
  const data = { fixRequestId: request.id, branch, commitHash: commit }
  if (isBad) {
    recordReleaseEvent(scope, release, {
      type: 'fix.cherryPickFailed',
      title: `${commit} of the fix ${request.title} could not be picked: ${pick.reason}`.slice(
        0,
        1000
      ),
      data: { ...data, connection, files: pick.files ?? [] },
      payload: null,
    })
  } else {
    recordReleaseEvent(scope, release, {
      type: 'release.commitPicked',
      title: pick.pickedAs
        ? `${commit} of the fix ${request.title} was picked onto ${branch}`.slice(0, 1000)
        : `${branch} has what ${commit} brings`,
      data: { ...data, pickedAs: pick.pickedAs ?? null },
      payload: null,
    })
  }
  await followFixes(scope, release)
}
