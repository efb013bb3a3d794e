import { onWish, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import { askCode, unlessConflicting, type Conflict } from '#releases/version_control/code_wishes'
import { inConflict, isBad, isWanted, noteBrought, type Told } from '../note_brought.js'
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
    if ('files' in came) return note(scope, entry, inConflict(came))
    const picked = 'sha' in came
    return note(scope, entry, picked ? { state: 'picked', pickedAs: came.sha } : { state: 'there' })
  },
  afterLast: (scope, entry, reason) =>
    note(scope, entry, { state: 'failed', reason: reason.slice(0, 1000) }),
})

const note = (scope: Scope, entry: Entry<Payload>, pick: Pick | null) =>
  noteBrought(scope, entry, pick, tellPick)

function tellPick({ branch, commit }: Payload, title: string, pick: Pick): Told {
  if (isBad(pick)) {
    return {
      type: 'fix.cherryPickFailed',
      title: `${commit} of the fix ${title} could not be picked: ${pick.reason}`,
    }
  }
  return {
    type: 'release.commitPicked',
    title: pick.pickedAs
      ? `${commit} of the fix ${title} was picked onto ${branch}`
      : `${branch} has what ${commit} brings`,
  }
}
