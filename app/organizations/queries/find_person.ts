import { from } from '#foundation/core/database/from'
import type { Scope } from '#foundation/core/scope'

/** A person of the organization with the user actions of their groups. */
export interface Person {
  id: string
  email: string
  name: string | null
  groupIds: string[]
  actions: ReadonlySet<string>
}

/**
 * Finds the person with an e-mail address in lower case. Returns null when there is none, or when
 * the person is deactivated and has no rights.
 */
export async function findPerson(scope: Scope, email: string): Promise<Person | null> {
  const user: { id: string; email: string; name: string | null } | null = await scope
    .table('users')
    .where('email', email)
    .whereNull('deactivated_at')
    .select('id', 'email', 'name')
    .first()
  if (!user) return null
  const groups: { id: string; user_actions: string }[] = await scope
    .table('groups')
    .join('group_members', 'group_members.group_id', 'groups.id')
    .where('group_members.user_id', user.id)
    .select('groups.id', 'groups.user_actions')
  return {
    ...user,
    groupIds: groups.map((group) => group.id),
    actions: new Set(groups.flatMap((group) => JSON.parse(group.user_actions) as string[])),
  }
}

/**
 * Returns whether people named in a call need the user action through a group. Otherwise any person
 * of the organization may act (docs/decisions/0002-tenants-and-keys).
 */
export async function hasRoleBasedAccess(scope: Scope): Promise<boolean> {
  const row = await from(scope.client, 'organizations')
    .where('id', scope.organization.id)
    .select('role_based_access_enabled')
    .firstOrFail()
  return Boolean(row.role_based_access_enabled)
}
