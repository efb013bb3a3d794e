import { of, select, type Select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { groups, users } from '../tables.js'

/** A person as others see them. */
export interface PersonSummary {
  id: string
  email: string
  name: string | null
}

type Named = { id: string; name: string }

const PEOPLE = select(
  of(users, 'u', ['id', 'email', 'name']),
  'from users u where u.organization_id = :org and u.id in json(:ids)'
)
const ACTIVE = select(
  of(users, 'u', ['id']),
  'from users u where u.organization_id = :org and u.id = :id and u.deactivated_at is null'
)
const GROUPS = select(
  of(groups, 'g', ['id', 'name']),
  'from groups g where g.organization_id = :org and g.id in json(:ids)'
)

/** Returns a person's name, or the address when the name is unknown. */
export const personName = ({ name, email }: Pick<PersonSummary, 'name' | 'email'>) => name ?? email

/** Returns whether a person belongs to the organization and is not deactivated. */
export async function isActivePerson(scope: Scope, id: string): Promise<boolean> {
  return (await scope.rows(ACTIVE, { id })).length > 0
}

/** Finds people by id. Deleted people are missing from the result. */
export function peopleOf(
  scope: Scope,
  ids: readonly string[]
): Promise<ReadonlyMap<string, PersonSummary>> {
  return loadByIds(scope, 'people', PEOPLE, ids)
}

/** Finds groups by id, with their names. */
export function groupsOf(
  scope: Scope,
  ids: readonly string[]
): Promise<ReadonlyMap<string, Named>> {
  return loadByIds(scope, 'groups', GROUPS, ids)
}

/** Caches a person who was read along with other data, so that they are not read again. */
export const cachePerson = (scope: Scope, person: PersonSummary) =>
  cache(scope, 'people', [person.id], [person])

/** Like `cachePerson`, for groups. @param ids all requested ids, including those of deleted groups */
export const cacheGroups = (scope: Scope, ids: readonly string[], named: readonly Named[]) =>
  cache(scope, 'groups', ids, named)

/** Like `cachePerson`, for several people. @param ids as for `cacheGroups` */
export const cachePeople = (
  scope: Scope,
  ids: readonly string[],
  people: readonly PersonSummary[]
) => cache(scope, 'people', ids, people)

async function cache<Summary extends { id: string }>(
  scope: Scope,
  cacheName: 'people' | 'groups',
  ids: readonly string[],
  rows: readonly Summary[]
) {
  const entries = await cachedEntries<Summary>(scope, cacheName)
  for (const id of ids) entries.set(id, null)
  for (const row of rows) entries.set(row.id, row)
}

/** Returns the entries that this scope has read so far, by id; null for deleted ones. */
const cachedEntries = <Summary>(scope: Scope, cacheName: 'people' | 'groups') =>
  scope.once(cacheName, async () => new Map<string, Summary | null>())

/** Reads the entries that are not cached yet, in one statement. */
async function loadByIds<Summary extends { id: string }>(
  scope: Scope,
  cacheName: 'people' | 'groups',
  statement: Select<Summary>,
  ids: readonly string[]
): Promise<Map<string, Summary>> {
  const entries = await cachedEntries<Summary>(scope, cacheName)
  const missing = [...new Set(ids)].filter((id) => !entries.has(id))
  if (missing.length > 0) {
    const rows = await scope.rows(statement, { ids: JSON.stringify(missing) })
    await cache(scope, cacheName, missing, rows)
  }
  return new Map(
    ids.flatMap((id): [string, Summary][] => {
      const summary = entries.get(id)
      return summary ? [[id, summary]] : []
    })
  )
}
