import type { ChangedRows } from '#foundation/core/database/changed_rows'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { groups } from '#organizations/tables'

/** A group whose rights or members a plan changes, as it is afterwards. */
export interface ReportedRights {
  group: string
  actions: readonly string[]
  /** E-mail addresses of people who have the rights through it. */
  people: string[]
  /** Names of API keys that have the rights through it. */
  keys: string[]
}

const GROUPS = select(
  of(groups, 'g', ['id', 'name', 'userActions']),
  'from groups g where g.organization_id = :org and g.id in json(:ids) order by g.name, g.id'
)
const HOLDERS = select(
  {
    groupId: as(text(), 'h.group_id'),
    person: as(optional(text()), 'h.person'),
    key: as(optional(text()), 'h.key_name'),
  },
  `from (
    select m.group_id, u.email as person, null as key_name
      from group_members m join users u on u.id = m.user_id
      where m.organization_id = :org and m.group_id in json(:ids)
    union all
    select m.group_id, null, k.name
      from api_key_groups m join api_keys k on k.id = m.api_key_id
      where m.organization_id = :org and m.group_id in json(:ids) and k.revoked_at is null
  ) h order by h.person, h.key_name`
)

/** Returns the rights of the changed groups, with the people and API keys that hold them. */
export async function rightsOf(scope: Scope, rows: ChangedRows): Promise<ReportedRights[]> {
  const changed = [...rows.valuesOf('groups', 'id'), ...rows.valuesOf('group_members', 'group_id')]
  if (changed.length === 0) return []
  const ids = { ids: JSON.stringify([...new Set(changed)]) }
  const holders = await scope.rows(HOLDERS, ids)
  return (await scope.rows(GROUPS, ids)).map(({ id, name, userActions }) => {
    const own = holders.filter(({ groupId }) => groupId === id)
    return {
      group: name,
      actions: userActions,
      people: own.flatMap(({ person }) => person ?? []),
      keys: own.flatMap(({ key }) => key ?? []),
    }
  })
}
