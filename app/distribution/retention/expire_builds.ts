import { dereferenceFiles } from '#foundation/core/files/held_files'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { removeUnusedFiles } from '../remove_unused_files.js'
import { lockBuilds } from '../lock_builds.js'
import { filesOf } from '../queries/build_entities.js'
import { distributionBuilds, distributionFiles } from '../tables.js'

/**
 * Marks builds as expired and releases their files; their records stay. A CI build that is in no
 * other bucket and not selected for a release releases its files, too.
 */
export async function expireBuilds(
  scope: Scope,
  builds: readonly { id: string; ciBuildId: string | null }[]
): Promise<void> {
  const ids = builds.map(({ id }) => id)
  await lockBuilds(scope, ids)
  const files = await filesOf(scope, ids)
  for (const { id } of builds) {
    await yieldToOthers()
    await scope.update(distributionBuilds, { id }, { status: 'expired', updatedAt: scope.now })
  }
  const held = files.filter(({ fileId }) => fileId !== null)
  for (const { id } of held) {
    await yieldToOthers()
    await scope.update(distributionFiles, { id }, { fileId: null })
  }
  await dereferenceFiles(
    scope,
    held.map(({ fileId }) => fileId!)
  )
  await removeUnusedFiles(scope, builds)
}
