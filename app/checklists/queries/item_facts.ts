import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { ItemFacts } from '#releases/engine/facts'
import { approvalsMissing, rulesOf } from '../approvals/approvals.js'
import { releaseItems } from '../tables.js'
import { withCurrentNames } from './owner_names.js'

const FACTS = select(
  {
    ...of(releaseItems, 'i', ['itemId', 'stepId', 'kind', 'title', 'status', 'required']),
    ...of(releaseItems, 'i', ['owners', 'settings', 'votes']),
    isDemanded: as(flag(), 'case when i.demand is null then 0 else 1 end'),
  },
  `from release_items i
  where i.organization_id = :org and i.release_id = :releaseId
  order by i.position, i.item_id`
)

/** Returns the items of a release as facts for the engine, by position. */
export async function itemFacts(scope: Scope, releaseInternalId: string): Promise<ItemFacts[]> {
  const rows = await scope.rows(FACTS, { releaseId: releaseInternalId })
  const owners = await withCurrentNames(
    scope,
    rows.map((row) => row.owners)
  )
  return rows.map((row, index) => ({
    id: row.itemId,
    stepId: row.stepId,
    kind: row.kind,
    title: row.title,
    status: row.status,
    required: row.required,
    owners: owners[index],
    ...(row.isDemanded && { isDemanded: true as const }),
    ...(row.kind === 'approval' && { approvals: approvalFacts(row) }),
  }))
}

/** Returns the progress of an approval. */
function approvalFacts({
  settings,
  votes,
}: RowOfSelect<typeof FACTS>): NonNullable<ItemFacts['approvals']> {
  const rules = rulesOf(settings)
  return {
    required: rules.requiredApprovals,
    missing: approvalsMissing(rules, votes),
    givenBy: votes.flatMap(({ actor }) => (actor.type === 'user' && actor.id ? actor.id : [])),
  }
}
