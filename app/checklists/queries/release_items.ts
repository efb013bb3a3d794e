import type { Scope } from '#foundation/scope'
import type { ChecklistItemEntity, ChecklistItemStatus } from '../entities.js'
import type { ItemKind, ItemStatus } from '../vocabulary.js'

/** An item as it stands in a release, with the step that holds it. */
export interface PlacedItem {
  stepId: string
  item: ChecklistItemEntity
}

export interface ReleaseItemFilter {
  kind?: ItemKind
  status?: ItemStatus
  stepType?: string
  itemId?: string
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
    .orderBy('release_items.item_id')
    .select(
      'release_items.*',
      'checklist_items.app_id',
      'checklist_items.release_types',
      'checklist_items.step_config_id',
      'checklist_items.step_type',
      'checklist_items.release_id as one_off_release_id',
      'checklist_items.created_at',
      'checklist_items.updated_at'
    )
  if (filter.kind) query.where('release_items.kind', filter.kind)
  if (filter.status) query.where('release_items.status', filter.status)
  if (filter.stepType) query.where('release_steps.type', filter.stepType)
  if (filter.itemId) query.where('release_items.item_id', filter.itemId)
  const rows = await query
  return rows.map((row) => ({
    stepId: row.step_id,
    item: {
      id: row.item_id,
      appId: row.app_id,
      kind: row.kind,
      title: row.title,
      description: row.description,
      releaseTypes: JSON.parse(row.release_types),
      owners: JSON.parse(row.owners),
      required: Boolean(row.required),
      notifyOnCompletion: Boolean(row.notify_on_completion),
      placement: {
        stepConfigId: row.step_config_id,
        stepType: row.step_type,
        position: row.position,
      },
      releaseId: row.one_off_release_id === null ? null : release.publicId,
      status: itemStatus(row),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }))
}

function itemStatus(row: {
  status: ItemStatus
  status_updated_at: string | null
  status_updated_by: string | null
  comment: string | null
}): ChecklistItemStatus {
  return {
    type: row.status,
    updatedAt: row.status_updated_at,
    updatedBy: row.status_updated_by === null ? null : JSON.parse(row.status_updated_by),
    comment: row.comment === null ? null : JSON.parse(row.comment),
  }
}
