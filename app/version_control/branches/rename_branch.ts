import type { Scope } from '#foundation/core/scope'
import { recordCode } from '#releases/lifecycle/record_code'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'

/**
 * Records the new name of the branch of a release, which its host has renamed.
 * @returns whether the release has a branch
 */
export async function renameBranch(scope: Scope, release: Release, to: string): Promise<boolean> {
  const from = release.releaseBranch
  if (from === null) return false
  await recordCode(scope, release, { releaseBranch: to })
  recordReleaseEvent(scope, release, {
    type: 'release.branchRenamed',
    title: `The branch ${from} is now called ${to}`,
    data: { from, to },
    payload: null,
  })
  return true
}
