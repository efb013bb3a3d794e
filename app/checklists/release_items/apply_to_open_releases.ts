import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/lifecycle/settle'
import { forEachOpenRelease } from '#releases/open_releases'
import { copyItems } from './copy_items.js'

/**
 * Carries changes of items into the upcoming and active releases of the app, and derives
 * those anew that changed by it.
 *
 * @param itemIds the items that changed.
 * @param releaseId internal id, where the change can concern this one release only.
 */
export async function applyToOpenReleases(
  scope: Scope,
  appId: string,
  itemIds: ReadonlySet<string>,
  releaseId?: string
): Promise<void> {
  if (itemIds.size === 0) return
  await forEachOpenRelease(
    scope,
    appId,
    async (release) => {
      if (await copyItems(scope, release, itemIds)) await settle(scope, release)
    },
    releaseId
  )
}
