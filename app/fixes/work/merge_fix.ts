import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { feature } from '#plugin-kit/capabilities/map'
import { hasFailed, type PickEntry } from '../code/record_brought_code.js'
import type { Pick } from '../tables.js'
import { mergeKind } from '../work_kinds.js'
import { onPick } from './bring_in.js'

/**
 * Merges the commit of the working branch that a request was approved for, and nothing after it.
 */
export const mergeFix = onPick(mergeKind, {
  async bring(versionControl, { payload: { commit, from, branch }, idempotencyKey }) {
    const message = `Merge ${from} into ${branch}`
    const merge = feature(versionControl, 'mergeBranch')
    const { sha, isMerged } = await merge(commit, branch, message, { idempotencyKey })
    return isMerged ? { state: 'picked', pickedAs: sha } : { state: 'there' }
  },
  report,
})

function report(payload: PayloadOf<typeof mergeKind>, title: string, pick: Pick): PickEntry {
  const { from, branch, commit } = payload
  const what = `${from} up to ${commit.slice(0, 12)}`
  if (hasFailed(pick)) {
    return {
      type: 'fix.backMergeFailed',
      title: `${what} could not be merged into ${branch} for the fix ${title}: ${pick.reason}`,
    }
  }
  return { type: 'fix.backMerged', title: `${branch} has all of ${what}, for the fix ${title}` }
}
