import { chunked } from '#foundation/core/chunked'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { groups, users } from '../tables.js'

/** A person as others are shown them. */
export interface PersonSummary {
  id: string
  email: string
  name: string | null
}

const PERSON = select(
  of(users, 'u', ['id', 'email', 'name']),
  'from users u where u.organization_id = :org and u.id = :id'
)
const GROUP = select(
  of(groups, 'g', ['id', 'name']),
  'from groups g where g.organization_id = :org and g.id = :id'
)

/** Beyond so many, all are read at once. */
const FEW = 8

/** A person's name, or the address where none is known. */
export const personName = ({ name, email }: Pick<PersonSummary, 'name' | 'email'>) => name ?? email

/** The people of some ids, by id; those who are gone are missing. */
export function peopleOf(
  scope: Scope,
  ids: readonly string[]
): Promise<Map<string, PersonSummary>> {
  return summariesOf(ids, {
    one: (id) => scope.once(`person ${id}`, async () => (await scope.rows(PERSON, { id }))[0]),
    many: (chunk) => scope.table('users').whereIn('id', chunk).select('id', 'email', 'name'),
  })
}

/** The names of the groups of some ids, by id. */
export async function groupNamesOf(
  scope: Scope,
  ids: readonly string[]
): Promise<Map<string, string>> {
  const found = await summariesOf<{ id: string; name: string }>(ids, {
    one: (id) => scope.once(`group ${id}`, async () => (await scope.rows(GROUP, { id }))[0]),
    many: (chunk) => scope.table('groups').whereIn('id', chunk).select('id', 'name'),
  })
  return new Map([...found].map(([id, { name }]) => [id, name]))
}

async function summariesOf<Summary extends { id: string }>(
  ids: readonly string[],
  read: {
    one: (id: string) => Promise<Summary | undefined>
    many: (ids: string[]) => PromiseLike<Summary[]>
  }
): Promise<Map<string, Summary>> {
  const wanted = [...new Set(ids)]
  const found = new Map<string, Summary>()
  if (wanted.length <= FEW) {
    for (const id of wanted) {
      const summary = await read.one(id)
      if (summary) found.set(id, summary)
    }
    return found
  }
  for (const chunk of chunked(wanted)) {
    for (const row of await read.many(chunk)) found.set(row.id, row)
  }
  return found
}
