import { extended, select } from '#foundation/core/database/reader'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseStepType } from '#releases/vocabulary'
import type { ChecklistItemEntity, ItemOwner } from '../entities.js'
import type { Vote } from '../approvals.js'
import { heldItemEntity, votesOf, type HeldItemRow } from '../transformers/item_entity.js'
import type { ItemKind, ItemStatus } from '../vocabulary.js'
import { withPresentNames } from './owner_names.js'

/** An item as it stands in a release, with the step that holds it. */
export interface PlacedItem {
  stepId: string
  item: ChecklistItemEntity
  /** Who approved an approval, with what they approved. */
  votes: Vote[]
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

const HELD = select(
  [
    'i.release_id',
    'i.item_id',
    'i.step_id',
    'i.kind',
    'i.title',
    'i.description',
    'i.release_types',
    'i.owners',
    'i.required',
    'i.notify_on_completion',
    'i.position',
    'i.settings',
    'i.status',
    'i.status_updated_at',
    'i.status_updated_by',
    'i.comment',
    'i.votes',
    'i.updated_at',
    's.step_config_id',
    's.type as step_type',
    'c.app_id',
    'c.release_id as one_off_release_id',
    'c.created_at',
  ],
  `from release_items i
    join checklist_items c on c.id = i.item_id
    join release_steps s on s.id = i.step_id
  where i.organization_id = :org and i.release_id = :releaseId`
)
const IN_ORDER = 'order by s.group_index, s.position, s.id, i.position, c.created_at, i.item_id'

/** The items of a release in the order of the workflow, then by position. */
export async function releaseItems(
  scope: Scope,
  release: ItemsOf,
  filter: ReleaseItemFilter = {}
): Promise<PlacedItem[]> {
  const { kind, status, stepType, itemIds } = filter
  const only = itemIds?.length === 1 ? itemIds[0] : undefined
  const conditions = [
    ...(kind ? ['and i.kind = :kind'] : []),
    ...(status ? ['and i.status = :status'] : []),
    ...(stepType ? ['and s.type = :stepType'] : []),
    ...(only ? ['and i.item_id = :only'] : []),
  ]
  const found = await scope.read<HeldItemRow>(extended(HELD, [...conditions, IN_ORDER].join(' ')), {
    releaseId: release.id,
    ...(kind && { kind }),
    ...(status && { status }),
    ...(stepType && { stepType }),
    ...(only && { only }),
  })
  const wanted = itemIds && new Set(itemIds)
  const rows = wanted ? found.filter((row) => wanted.has(row.item_id)) : found
  const owners = await withPresentNames(
    scope,
    rows.map((row) => JSON.parse(row.owners) as ItemOwner[])
  )
  return rows.map((row, index) => ({
    stepId: row.step_id,
    item: heldItemEntity(row, owners[index], release.publicId),
    votes: votesOf(row),
  }))
}
