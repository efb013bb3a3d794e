import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { isProviderError } from '#integrations/ask_provider'
import { hasFailed, type PickEntry } from '../code/record_brought_code.js'
import type { Pick } from '../tables.js'
import { pickKind } from '../work_kinds.js'
import { onPick } from './bring_in.js'

/** Picks a commit of an approved request. */
export const pickFix = onPick(pickKind, {
  async bring(versionControl, { payload: { commit, branch }, idempotencyKey }) {
    try {
      const picked = await versionControl.cherryPick(commit, branch, branch, { idempotencyKey })
      return { state: 'picked', pickedAs: picked.sha }
    } catch (error) {
      const isThere = isProviderError(error) && error.detail.reason === 'nothing_to_pick'
      if (isThere) return { state: 'there' }
      throw error
    }
  },
  report,
})

function report(
  { branch, commit }: PayloadOf<typeof pickKind>,
  title: string,
  pick: Pick
): PickEntry {
  if (hasFailed(pick)) {
    return {
      type: 'fix.cherryPickFailed',
      title: `${commit} of the fix ${title} could not be picked: ${pick.reason}`,
    }
  }
  return {
    type: 'release.commitPicked',
    title: pick.pickedAs
      ? `${commit} of the fix ${title} was picked onto ${branch}`
      : `${branch} already has the changes of ${commit}`,
  }
}
