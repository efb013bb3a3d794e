import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'

/**
 * The branch of a release has the name that its host calls it by now.
 * @returns whether the release has one
 */
export async function renameBranch(scope: Scope, release: Release, to: string): Promise<boolean> {
  const from = release.releaseBranch
  if (from === null) return false
  release.releaseBranch = to
  await release.useTransaction(scope.transaction).save()
  recordReleaseEvent(scope, release, {
    type: 'release.branchRenamed',
    title: `The branch ${from} is called ${to} now`,
    data: { from, to },
    payload: null,
  })
  return true
}
