import type { Scope } from '#foundation/core/scope'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { changesFacts, copyItems } from './copy_items.js'
import { reportItemChanges } from './report_item_changes.js'

/**
 * Applies changes of items to the upcoming and active releases of the app: each release that
 * changed records it in its timeline and is derived anew.
 *
 * @param itemIds the items that changed.
 * @param about those of them that the change is of; the others made room.
 * @param releaseId internal id, if the change can concern this one release only.
 * @throws too_many_items
 */
export async function applyToOpenReleases(
  scope: Scope,
  appId: string,
  itemIds: ReadonlySet<string>,
  about: ReadonlySet<string>,
  releaseId?: string
): Promise<void> {
  if (itemIds.size === 0) return
  await forEachOpenRelease(
    scope,
    appId,
    async (release, { cache }) => {
      const copied = await copyItems(scope, release, { only: itemIds, cache })
      await reportItemChanges(scope, release, copied, about)
      if (changesFacts(copied)) scope.touch(release)
    },
    releaseId
  )
}
