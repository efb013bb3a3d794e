import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import { EditCache } from './edit_cache.js'
import { copyWorkflow, removeSteps } from './copy_workflow.js'
import { restartSteps } from './restart_steps.js'

/**
 * Applies the current workflow and definitions of the app to a release, and touches it. Called when
 * a release is created or unskipped, when its type changes, and when the app is edited.
 * @param options.cache given for an edit of the app only: an upcoming release that the edit does
 *   not change is then not derived again
 * @throws too_many_steps, too_many_items
 */
export async function adoptWorkflow(
  scope: Scope,
  release: Release,
  options: { restart?: boolean; isNew?: boolean; cache?: EditCache } = {}
): Promise<void> {
  const { restart = false, isNew = false, cache = new EditCache() } = options
  const { leaving, ...copied } = await copyWorkflow(scope, release, cache)
  if (restart) await restartSteps(scope, release)
  for (const { lifecycle } of releaseExtensions.all) {
    await lifecycle?.adopt?.(scope, release, { isNew, cache, leaving })
    await yieldToOthers()
  }
  await removeSteps(scope, leaving)
  if (release.$isDirty) await release.useTransaction(scope.transaction).save()
  const isUnchanged = options.cache && !copied.changed && leaving.size === 0
  if (!isUnchanged || release.status !== 'upcoming') scope.touch(release)
}
