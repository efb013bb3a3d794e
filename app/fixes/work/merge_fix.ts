import { onWish, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { codeKind } from '#features/work_kinds'
import { feature } from '#plugin-kit/capabilities/map'
import { askCode, unlessConflicting, type Conflict } from '#releases/version_control/code_wishes'
import { inConflict, isBad, isWanted, noteBrought, type Told } from '../note_brought.js'
import type { Pick } from '../tables.js'
import { mergeKind } from '../work_kinds.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

type Payload = PayloadOf<typeof mergeKind>
/** `unasked`: the request was rejected, or its release is over, before anybody was asked. */
type Merged = { sha: string; isMerged: boolean } | { unasked: true } | Conflict

/** Merges the working branch for an approved request; a conflict leaves nothing behind. */
export const mergeFix = onWish(mergeKind, {
  actor: 'version control',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR] },
  // A repetition finds its merge, or that nothing is left to merge.
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(entry, context): Promise<Outcome<Merged>> {
    if (!(await isWanted(entry, context))) return { outcome: 'applied', answer: { unasked: true } }
    const { from, branch } = entry.payload
    const { idempotencyKey } = entry
    return askCode(entry, context, (versionControl) =>
      unlessConflicting<Merged>(() =>
        feature(versionControl, 'mergeBranch')(from, branch, `Merge ${from} into ${branch}`, {
          idempotencyKey,
        })
      )
    )
  },
  async answer(scope, entry, came: Merged) {
    if ('unasked' in came) return note(scope, entry, null)
    if ('files' in came) return note(scope, entry, inConflict(came))
    await note(
      scope,
      entry,
      came.isMerged ? { state: 'picked', pickedAs: came.sha } : { state: 'there' }
    )
    // What came with it is seen by looking.
    await scope.agenda.move(codeKind, entry.payload.releaseId, scope.now)
  },
  afterLast: (scope, entry, reason) =>
    note(scope, entry, { state: 'failed', reason: reason.slice(0, 1000) }),
})

const note = (scope: Scope, entry: Entry<Payload>, pick: Pick | null) =>
  noteBrought(scope, entry, pick, tellMerge)

function tellMerge({ from, branch }: Payload, title: string, pick: Pick): Told {
  if (isBad(pick)) {
    return {
      type: 'fix.backMergeFailed',
      title: `${from} could not be merged into ${branch} for the fix ${title}: ${pick.reason}`,
    }
  }
  return { type: 'fix.backMerged', title: `${branch} has all of ${from}, for the fix ${title}` }
}
