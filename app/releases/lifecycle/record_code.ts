import type { Scope } from '#foundation/core/scope'
import type Release from '../models/release.js'

/** Stores the branch or the tag that a release has in version control. */
export async function recordCode(
  scope: Scope,
  release: Release,
  code: Partial<Pick<Release, 'releaseBranch' | 'tag'>>
): Promise<void> {
  release.merge({ ...code, updatedAt: scope.now })
  await release.useTransaction(scope.transaction).save()
}
