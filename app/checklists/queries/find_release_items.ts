import { as, of, select, variants } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ItemKind, ItemStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import type { Vote } from '../approvals.js'
import { checklistItems, releaseItems } from '../tables.js'
import { releaseItemEntity } from '../transformers/item_entity.js'
import { withCurrentNames } from './current_names.js'

/** An item as it stands in a release, with the step that holds it. */
export interface ReleaseItem {
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
export interface ReleaseIds {
  id: string
  publicId: string
}

const RELEASE_ITEMS = select(
  {
    ...of(checklistItems, 'c', ['appId', 'createdAt']),
    ...of(releaseItems, 'i'),
    stepConfigId: as(text(), 's.step_config_id'),
    stepType: as(text<ReleaseStepType>(), 's.type'),
    oneOffReleaseId: as(optional(text()), 'c.release_id'),
  },
  `from release_items i
    join checklist_items c on c.id = i.item_id
    join release_steps s on s.id = i.step_id
  where i.organization_id = :org and i.release_id = :releaseId`
)

const releaseItemsWith = variants(
  RELEASE_ITEMS,
  'order by s.group_index, s.position, s.id, i.position, c.created_at, i.item_id'
)

const CONDITIONS = {
  kind: 'and i.kind = :kind',
  status: 'and i.status = :status',
  stepType: 'and s.type = :stepType',
  itemId: 'and i.item_id = :itemId',
} as const

/** The items of a release in the order of the workflow, then by position. */
export async function findReleaseItems(
  scope: Scope,
  release: ReleaseIds,
  { itemIds, ...filter }: ReleaseItemFilter = {}
): Promise<ReleaseItem[]> {
  const given = { ...filter, itemId: itemIds?.length === 1 ? itemIds[0] : undefined }
  const names = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter(
    (name) => given[name] !== undefined
  )
  const found = await scope.rows(
    releaseItemsWith(names.map((name) => CONDITIONS[name]).join(' ')),
    {
      releaseId: release.id,
      ...Object.fromEntries(names.map((name) => [name, given[name]!])),
    }
  )
  const wanted = itemIds && new Set(itemIds)
  const rows = wanted ? found.filter((row) => wanted.has(row.itemId)) : found
  const owners = await withCurrentNames(
    scope,
    rows.map((row) => row.owners)
  )
  return rows.map((row, index) => ({
    stepId: row.stepId,
    item: releaseItemEntity(row, owners[index], release.publicId),
    votes: row.votes,
  }))
}

/** An item of a release. @throws not_found when the release does not hold it. */
export async function findReleaseItem(
  scope: Scope,
  release: ReleaseIds,
  itemId: string
): Promise<ReleaseItem> {
  const [current] = await findReleaseItems(scope, release, { itemIds: [itemId] })
  if (!current) throw refuse('not_found', { detail: 'There is no such item in the release.' })
  return current
}
