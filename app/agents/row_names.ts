import type { ChangedRows, NamedRow } from '#foundation/core/database/changed_rows'
import { as, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'

const NAMES = select(
  { id: as(text(), 'n.id'), name: as(text(), 'n.name') },
  `from (
    select id, email as name from users where organization_id = :org and id in json(:ids)
    union all
    select id, name from release_steps where organization_id = :org and id in json(:ids)
    union all
    select id, name from groups where organization_id = :org and id in json(:ids)
  ) n`
)

/**
 * Returns the names by which people know rows: their own name, or that of the row they are named
 * after.
 */
export async function rowNames(
  scope: Scope,
  rows: ChangedRows
): Promise<(row: NamedRow) => string> {
  const destroyed = [...rows.destroyed.values()].flatMap(({ first }) => first)
  const ids = [...destroyed, ...rows.changes()].flatMap(({ after }) => after ?? [])
  const found =
    ids.length > 0 ? await scope.rows(NAMES, { ids: JSON.stringify([...new Set(ids)]) }) : []
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return ({ name, after }) =>
    after === undefined ? name : (names.get(after) ?? rows.goneName(after) ?? name)
}
