import { checklistItems } from '#checklists/tables'
import { exportConfiguration } from '#configuration/queries/export_configuration'
import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { groups, users } from '#organizations/tables'
import { policyOf } from '#rollouts/queries/policies'
import { listEndpoints } from '#webhooks/queries/get_endpoint'
import { subscriptionOf } from '#webhooks/rows'
import type { OfApp, RehearsedItem, RehearsedPerson } from './plan.js'

const PEOPLE = select(
  { ...of(users, 'u', ['email', 'name']), groupName: as(optional(text()), 'g.name') },
  `from users u left join group_members m on m.user_id = u.id
    left join groups g on g.id = m.group_id
  where u.organization_id = :org order by u.email, g.name`
)
const GROUPS = select(
  of(groups, 'g', ['name', 'userActions']),
  'from groups g where g.organization_id = :org order by g.name'
)
const ITEMS = select(
  of(checklistItems, 'i', ['kind', 'title', 'releaseTypes', 'required', 'stepType', 'settings']),
  `from checklist_items i where i.organization_id = :org and i.app_id = :appId
    and i.release_id is null and i.deleted_at is null order by i.kind, i.position, i.id`
)

/** An app of the service as it is, with the people and the endpoints of its organization. */
export async function planOfApp(scope: Scope, appId: string): Promise<OfApp> {
  const people = new Map<string, RehearsedPerson>()
  for (const { email, name, groupName } of await scope.rows(PEOPLE)) {
    const before = people.get(email)?.groups ?? []
    people.set(email, { email, name, groups: groupName ? [...before, groupName] : before })
  }
  const items = await scope.rows(ITEMS, { appId })
  const endpoints = (await listEndpoints(scope)).filter(({ status }) => status !== 'disabled')
  return {
    configuration: await exportConfiguration(scope, appId),
    people: [...people.values()],
    groups: await scope.rows(GROUPS),
    items: items.map(({ settings, ...item }): RehearsedItem => {
      const { requiredApprovals = null, fourEyes = null } = settings
      return { ...item, requiredApprovals, fourEyes }
    }),
    endpoints: endpoints.flatMap((row) => {
      const { events, appIds } = subscriptionOf(row)
      return appIds === null || appIds.includes(appId) ? [{ url: row.url, events }] : []
    }),
    policy: await policyOf(scope, appId, null),
  }
}
