import { chunked } from '#foundation/core/chunked'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/names/public_release_id'
import { readReferencedRelease } from '#releases/queries/find_release'
import type { ChecklistItemEntity } from '../entities.js'
import ChecklistItem from '../models/checklist_item.js'
import { itemEntity } from '../transformers/item_entity.js'
import { findReleaseItems } from './find_release_items.js'
import { withCurrentNames } from './owner_names.js'

/** Finds an item of an app that is not deleted, of any kind. @throws not_found */
export async function findItem(
  scope: Scope,
  appId: string,
  itemId: string
): Promise<ChecklistItem> {
  const item = await scope
    .query(ChecklistItem)
    .where({ id: itemId, appId })
    .whereNull('deletedAt')
    .first()
  if (!item) throw refuse('not_found')
  return item
}

/** Converts items to the form in which the API shows the app's definitions. */
export async function itemEntities(
  scope: Scope,
  items: readonly ChecklistItem[]
): Promise<ChecklistItemEntity[]> {
  const owners = await withCurrentNames(
    scope,
    items.map((item) => item.owners)
  )
  const releaseIds = await publicReleaseIds(scope, items)
  return items.map((item, index) =>
    itemEntity(item, owners[index], item.releaseId && releaseIds.get(item.releaseId)!)
  )
}

/**
 * Returns an item as a release holds it, even if it has been deleted since. Returns the definition
 * of the app, without a status, when no release is given or the release does not hold the item.
 * @throws not_found
 */
export async function showItem(
  scope: Scope,
  appId: string,
  itemId: string,
  releaseId: string | undefined
): Promise<ChecklistItemEntity> {
  if (releaseId !== undefined) {
    const { release } = await readReferencedRelease(scope, appId, releaseId)
    const [found] = await findReleaseItems(scope, release, { itemIds: [itemId] })
    if (found) return found.item
  }
  const [entity] = await itemEntities(scope, [await findItem(scope, appId, itemId)])
  return entity
}

async function publicReleaseIds(scope: Scope, items: readonly ChecklistItem[]) {
  const wanted = [...new Set(items.flatMap((item) => item.releaseId ?? []))]
  const found = new Map<string, string>()
  for (const ids of chunked(wanted)) {
    const rows: { id: string; app_id: string; version: string }[] = await scope
      .table('releases')
      .whereIn('id', ids)
      .select('id', 'app_id', 'version')
    for (const { id, app_id: appId, version } of rows) {
      found.set(id, publicReleaseId({ appId, version }))
    }
  }
  return found
}
