import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { renameBranch } from '#version_control/branches/rename_branch'
import type { ReleaseFeatures } from '../queries/release_features.js'
import { releaseFeatures } from '../tables.js'
import type { CodeLook } from '../work/code_look.js'

/**
 * Keeps what became of the branch of a release: it has the name that its host calls it by now, and
 * where there is none of its name the timeline says so once.
 * @returns whether anything differs
 */
export async function takeBranch(
  scope: Scope,
  release: Release,
  features: ReleaseFeatures,
  { missingBranch, renamedTo }: Pick<CodeLook, 'missingBranch' | 'renamedTo'>
): Promise<boolean> {
  const isRenamed = renamedTo !== null && (await renameBranch(scope, release, renamedTo))
  const isOther = missingBranch !== features.missingBranch
  if (isOther) await scope.update(releaseFeatures, { releaseId: release.id }, { missingBranch })
  if (isOther && missingBranch !== null) {
    recordReleaseEvent(scope, release, {
      type: 'release.branchMissing',
      title: `There is no branch ${missingBranch}: what was last seen of it counts`,
      data: { branch: missingBranch },
      payload: null,
    })
  }
  return isRenamed || isOther
}
