import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { renameBranch } from '#version_control/branches/rename_branch'
import type { ReleaseFeatures } from '../queries/release_features.js'
import { releaseFeatures } from '../tables.js'
import type { CodeObservation } from '../work/code_look.js'

/**
 * Records the state of a release's branch: its new name if it was renamed, or that it is missing,
 * which the timeline reports once.
 * @returns whether anything differs
 */
export async function takeBranch(
  scope: Scope,
  release: Release,
  features: ReleaseFeatures,
  { missingBranch, renamedTo }: Pick<CodeObservation, 'missingBranch' | 'renamedTo'>
): Promise<boolean> {
  const isRenamed = renamedTo !== null && (await renameBranch(scope, release, renamedTo))
  const isNews = missingBranch !== features.missingBranch
  if (isNews) await scope.update(releaseFeatures, { releaseId: release.id }, { missingBranch })
  if (isNews && missingBranch !== null) {
    recordReleaseEvent(scope, release, {
      type: 'release.branchMissing',
      title: `The branch ${missingBranch} is missing: its last known state still applies`,
      data: { branch: missingBranch },
      payload: null,
    })
  }
  return isRenamed || isNews
}
