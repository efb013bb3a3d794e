import { select } from '#foundation/core/database/reader'
import type { Scope } from '#foundation/core/scope'
import type { ItemFacts } from '#releases/engine/facts'
import type { ItemOwner } from '../entities.js'
import { approvalsMissing, rulesOf } from '../approvals.js'
import { votesOf } from '../transformers/item_entity.js'
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
  settings: string
  votes: string
}

const FACTS = select(
  ['item_id', 'step_id', 'kind', 'title', 'status', 'required', 'owners', 'settings', 'votes'],
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
    ...(row.kind === 'approval' && { approvals: standing(row) }),
  }))
}

/** How far an approval is. */
function standing(row: ItemFactRow): NonNullable<ItemFacts['approvals']> {
  const rules = rulesOf(JSON.parse(row.settings))
  const votes = votesOf(row)
  return {
    required: rules.requiredApprovals,
    missing: approvalsMissing(rules, votes),
    givenBy: votes.flatMap(({ actor }) => (actor.type === 'user' && actor.id ? actor.id : [])),
  }
}
