import { checklistItems } from '#checklists/tables'
import { findApp } from '#apps/queries/find_app'
import { loadConfiguration } from '#configuration/queries/load_configuration'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { integer, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { groups, users } from '#organizations/tables'
import { ownCadence } from '#planning/cadence/configured_cadence'
import { listEndpoints } from '#webhooks/queries/get_endpoint'
import { subscriptionOf } from '#webhooks/rows'
import type { OfApp, RehearsedItem, RehearsedOwner, RehearsedPerson } from './plan.js'

const PEOPLE = select(
  {
    ...of(users, 'u', ['id', 'email', 'name', 'deactivatedAt']),
    groupName: as(optional(text()), 'g.name'),
  },
  `from users u left join group_members m on m.user_id = u.id
    left join groups g on g.id = m.group_id
  where u.organization_id = :org order by u.email, g.name`
)
const GROUPS = select(
  of(groups, 'g', ['id', 'name', 'userActions']),
  'from groups g where g.organization_id = :org order by g.name'
)
const ITEMS = select(
  {
    ...of(checklistItems, 'i', ['kind', 'title', 'releaseTypes', 'required', 'owners']),
    ...of(checklistItems, 'i', ['stepType', 'settings']),
    group: as(optional(integer()), 's.group_index'),
    position: as(optional(integer()), 's.position'),
  },
  `from checklist_items i left join step_configs s on s.id = i.step_config_id
  where i.organization_id = :org and i.app_id = :appId and i.release_id is null and i.deleted_at is null
  order by i.kind, i.position, i.id`
)

/**
 * Returns what the plan of a rehearsal copies from an app and its organization: configuration,
 * people, groups, items and endpoints.
 */
export async function planOfApp(scope: Scope, appId: string): Promise<OfApp> {
  const people = await scope.rows(PEOPLE)
  const groupRows = await scope.rows(GROUPS)
  const items = await scope.rows(ITEMS, { appId })
  const endpoints = (await listEndpoints(scope)).filter(({ status }) => status !== 'disabled')
  const emails = new Map(people.map(({ id, email }) => [id, email]))
  const names = new Map(groupRows.map(({ id, name }) => [id, name]))
  const toOwners = ownersIn(emails, names)
  return {
    configuration: await configurationOf(scope, appId),
    people: peopleIn(people),
    groups: groupRows.map(({ name, userActions }) => ({ name, userActions })),
    items: items.map(({ settings, group, position, ...item }): RehearsedItem => {
      const { requiredApprovals = null, fourEyes = null } = settings
      return {
        ...item,
        owners: toOwners(item.owners),
        step: group === null || position === null ? null : { group, position },
        ...{ requiredApprovals, fourEyes },
      }
    }),
    endpoints: endpoints.flatMap((row) => {
      const { events, appIds } = subscriptionOf(row)
      return appIds === null || appIds.includes(appId) ? [{ url: row.url, events }] : []
    }),
  }
}

/**
 * Returns the configuration file of an app with its own cadence, because a rehearsal leaves out
 * the app whose cadence it follows.
 */
async function configurationOf(scope: Scope, appId: string): Promise<string> {
  const { toYaml } = await import('#configuration/yaml/write_yaml')
  const configuration = await loadConfiguration(scope, await findApp(scope, appId))
  return toYaml({ ...configuration, scheduleCadence: await ownCadence(scope, appId) })
}

function peopleIn(rows: readonly RowOfSelect<typeof PEOPLE>[]): RehearsedPerson[] {
  return [...Map.groupBy(rows, ({ email }) => email).values()].map((memberships) => {
    const [{ email, name, deactivatedAt }] = memberships
    const groupNames = memberships.flatMap(({ groupName }) => groupName ?? [])
    return { email, name, groups: groupNames, hasLeft: deactivatedAt !== null }
  })
}

/** Converts owners from ids to names. Leaves out unknown owners. */
const ownersIn =
  (emails: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>) =>
  (all: RowOfSelect<typeof ITEMS>['owners']) =>
    all.flatMap(({ type, id }): RehearsedOwner[] => {
      if (type === 'releasePilot') return [{ type, name: null }]
      const name = (type === 'user' ? emails : names).get(id ?? '')
      return name === undefined ? [] : [{ type, name }]
    })
