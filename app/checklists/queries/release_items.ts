import type { Scope } from '#foundation/scope'
import type { ReleaseStepType } from '#releases/vocabulary'
import type { ChecklistItemEntity, ItemOwner } from '../entities.js'
import { heldItemEntity, type HeldItemRow } from '../transformers/item_entity.js'
import { isItemDone, type ItemKind, type ItemStatus } from '../vocabulary.js'
import { chunked, withPresentNames } from './owner_names.js'

/** An item as it stands in a release, with the step that holds it. */
export interface PlacedItem {
  stepId: string
  item: ChecklistItemEntity
}

export interface ReleaseItemFilter {
  kind?: ItemKind
  status?: ItemStatus
  stepType?: ReleaseStepType
  itemIds?: readonly string[]
}

/** What a query about a release's items needs to know of the release. */
export interface ItemsOf {
  id: string
  publicId: string
}

/** The items of a release in the order of the workflow, then by position. */
export async function releaseItems(
  scope: Scope,
  release: ItemsOf,
  filter: ReleaseItemFilter = {}
): Promise<PlacedItem[]> {
  const query = scope
    .table('release_items')
    .join('checklist_items', 'checklist_items.id', 'release_items.item_id')
    .join('release_steps', 'release_steps.id', 'release_items.step_id')
    .where('release_items.release_id', release.id)
    .orderBy('release_steps.group_index')
    .orderBy('release_steps.position')
    .orderBy('release_steps.id')
    .orderBy('release_items.position')
    .orderBy('checklist_items.created_at')
    .orderBy('release_items.item_id')
    .select(
      'release_items.*',
      'release_steps.step_config_id',
      'release_steps.type as step_type',
      'checklist_items.app_id',
      'checklist_items.release_id as one_off_release_id',
      'checklist_items.created_at'
    )
  if (filter.kind) query.where('release_items.kind', filter.kind)
  if (filter.status) query.where('release_items.status', filter.status)
  if (filter.stepType) query.where('release_steps.type', filter.stepType)
  if (filter.itemIds) query.whereIn('release_items.item_id', [...filter.itemIds])
  const rows: HeldItemRow[] = await query
  const owners = await withPresentNames(
    scope,
    rows.map((row) => JSON.parse(row.owners) as ItemOwner[])
  )
  return rows.map((row, index) => ({
    stepId: row.step_id,
    item: heldItemEntity(row, owners[index], release.publicId),
  }))
}

/** How many items releases hold and how many are done, by internal release id. */
export async function itemCounts(
  scope: Scope,
  releaseIds: readonly string[]
): Promise<Map<string, { total: number; done: number }>> {
  const counts = new Map(releaseIds.map((id) => [id, { total: 0, done: 0 }]))
  for (const ids of chunked([...counts.keys()])) {
    const rows: { release_id: string; kind: ItemKind; status: ItemStatus; items: unknown }[] =
      await scope
        .table('release_items')
        .whereIn('release_id', ids)
        .groupBy('release_id', 'kind', 'status')
        .select('release_id', 'kind', 'status')
        .count('* as items')
    for (const row of rows) {
      const count = counts.get(row.release_id)!
      count.total += Number(row.items)
      if (isItemDone(row.kind, row.status)) count.done += Number(row.items)
    }
  }
  return counts
}
