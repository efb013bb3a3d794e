import type { Scope } from '#foundation/core/scope'
import { GROUPS_OF_PERSON } from '../person_permissions.js'

/** A person of the organization with the user actions of their groups. */
export interface Person {
  id: string
  email: string
  name: string | null
  isAdmin: boolean
  groupIds: string[]
  actions: ReadonlySet<string>
}

/**
 * Finds a person by e-mail address. Returns null for an unknown or deactivated person.
 * @param email in lower case
 */
export async function findPerson(scope: Scope, email: string): Promise<Person | null> {
  const user: (Pick<Person, 'id' | 'email' | 'name'> & { admin: unknown }) | null = await scope
    .table('users')
    .where('email', email)
    .whereNull('deactivated_at')
    .select('id', 'email', 'name', 'admin')
    .first()
  if (!user) return null
  const groups = await scope.rows(GROUPS_OF_PERSON, { user: user.id })
  const { admin, ...named } = user
  return {
    ...named,
    isAdmin: Boolean(admin),
    groupIds: groups.map((group) => group.id),
    actions: new Set(groups.flatMap((group) => group.userActions)),
  }
}
