import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type Release from '../models/release.js'
import { releaseExtensions } from '../extensions.js'
import { EditCache } from './edit_cache.js'
import { copyWorkflow, removeSteps } from './copy_workflow.js'
import { restartSteps } from './restart_steps.js'

/**
 * Gives a release what its app's workflow and definitions are now, and touches it: at its making,
 * when its kind changes, when the app is edited, and when a skip is taken back.
 * @param options `cache` where nothing but an edit of the app is new: where that brings nothing to
 *   an upcoming release, what was derived of it stands.
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
  const isAsItWas = options.cache && !copied.changed && leaving.size === 0
  if (!isAsItWas || release.status !== 'upcoming') scope.touch(release)
}
