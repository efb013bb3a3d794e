import { select } from '#foundation/database/reader'
import type { Scope } from '#foundation/scope'
import type { ItemFacts } from '#releases/engine/facts'
import type { ItemOwner } from '../entities.js'
import type { ItemKind, ItemStatus } from '../vocabulary.js'
import { withPresentNames } from './owner_names.js'

interface ItemFactRow {
  item_id: string
  step_id: string
  kind: ItemKind
  title: string
  status: ItemStatus
  required: boolean | number
  owners: string
}

const FACTS = select(
  ['item_id', 'step_id', 'kind', 'title', 'status', 'required', 'owners'],
  `from release_items
  where organization_id = :org and release_id = :releaseId
  order by position, item_id`
)

/** The items of a release as the engine sees them, by position. */
export async function itemFacts(scope: Scope, releaseInternalId: string): Promise<ItemFacts[]> {
  const rows = await scope.read<ItemFactRow>(FACTS, { releaseId: releaseInternalId })
  const owners = await withPresentNames(
    scope,
    rows.map((row) => JSON.parse(row.owners) as ItemOwner[])
  )
  return rows.map((row, index) => ({
    id: row.item_id,
    stepId: row.step_id,
    kind: row.kind,
    title: row.title,
    status: row.status,
    required: Boolean(row.required),
    owners: owners[index],
  }))
}
