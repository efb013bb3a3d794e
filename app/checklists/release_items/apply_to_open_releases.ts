import type { Scope } from '#foundation/core/scope'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { changesFacts, copyItems } from './copy_items.js'
import { reportItemChanges } from './report_item_changes.js'

/**
 * Applies changes of items to the upcoming and active releases of the app. Each release that
 * changes records that in its timeline and is derived again.
 *
 * @param itemIds the items that changed
 * @param about the items that the request is about; the others only changed their position
 * @param releaseId internal id, if the change can affect this release only
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
