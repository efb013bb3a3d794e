import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/actions/settle'
import Release from '#releases/models/release'
import { syncReleaseItems } from './sync_release_items.js'

/**
 * Carries changes of items into the upcoming and active releases of the app, and derives
 * those anew that changed by it.
 *
 * @param itemIds the items that changed.
 * @param releaseId internal id, where the change can concern this one release only.
 */
export async function syncOpenReleases(
  scope: Scope,
  appId: string,
  itemIds: ReadonlySet<string>,
  releaseId?: string
): Promise<void> {
  if (itemIds.size === 0) return
  const query = scope
    .table('releases')
    .where('app_id', appId)
    .whereIn('status', ['upcoming', 'active'])
    .orderBy(['version_major', 'version_minor', 'version_patch'])
    .select('id')
  if (releaseId !== undefined) query.where('id', releaseId)
  const open: { id: string }[] = await query
  for (const { id } of open) {
    // Read one by one: a release that ends moves the train, and so the next one.
    const release = await scope.query(Release).where('id', id).firstOrFail()
    if (await syncReleaseItems(scope, release, itemIds)) await settle(scope, release)
  }
}
