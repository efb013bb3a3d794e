import { change } from '#foundation/core/database/statement'
import { columnName } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { COPIED_MEMBERS } from '../tables.js'

/** Items with the steps of a release that their copies are on. */
export type Copies = { itemId: string; stepId: string }[]

const columns = COPIED_MEMBERS.map(columnName)
const defined = columns.map((column) => `c.${column}`).join(', ')

const DROP = change(
  `delete from release_items where organization_id = :org and release_id = :releaseId
    and item_id in json(:ids)`
)
const RENEW = change(
  `update release_items set step_id = :stepId, updated_at = :now, (${columns.join(', ')}) = (
    select ${defined} from checklist_items c
    where c.id = release_items.item_id and c.organization_id = release_items.organization_id)
  where organization_id = :org and release_id = :releaseId and item_id in json(:ids)`
)
const ADD = change(
  `insert into release_items (organization_id, release_id, item_id, step_id, status, votes,
    updated_at, ${columns.join(', ')})
  select c.organization_id, :releaseId, c.id, :stepId, 'notStarted', '[]', :now, ${defined}
  from checklist_items c where c.organization_id = :org and c.id in json(:ids)`
)

/** Removes items from a release. */
export async function dropCopies(scope: Scope, release: Release, itemIds: readonly string[]) {
  if (itemIds.length === 0) return
  await scope.change(DROP, { releaseId: release.id, ids: JSON.stringify(itemIds) })
}

/** Copies the definitions again and moves the copies to these steps. Status and votes stay. */
export async function renewCopies(scope: Scope, release: Release, copies: Copies): Promise<void> {
  await eachStep(scope, release, copies, RENEW)
}

/** Copies items into a release that does not hold them yet. */
export async function addCopies(scope: Scope, release: Release, copies: Copies): Promise<void> {
  await eachStep(scope, release, copies, ADD)
}

/** Runs a statement once per step, for all its items. */
async function eachStep(
  scope: Scope,
  { id: releaseId }: Release,
  copies: Copies,
  statement: typeof ADD
) {
  const now = scope.now
  for (const [stepId, items] of Map.groupBy(copies, (copy) => copy.stepId)) {
    const ids = JSON.stringify(items.map(({ itemId }) => itemId))
    await scope.change(statement, { releaseId, stepId, ids, now })
  }
}
