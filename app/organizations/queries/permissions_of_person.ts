import { of, select } from '#foundation/core/database/statement'
import type { Permissions } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { personPermissions } from '../person_permissions.js'
import { groups } from '../tables.js'
import type { Person } from './find_person.js'
import { hasRoleBasedAccess } from './role_based_access.js'

const HELD = select(
  of(groups, 'g', ['id', 'userActions']),
  `from group_members m join groups g on g.id = m.group_id
  where m.organization_id = :org and m.user_id = :user`
)

/** Returns the permissions of a person who acts through a provider: those of their sign-in. */
export async function permissionsOfPerson(
  scope: Scope,
  { id, isAdmin }: Person
): Promise<Permissions> {
  const isByRole = await hasRoleBasedAccess(scope)
  const held = await scope.rows(HELD, { user: id })
  return personPermissions({ admin: isAdmin, isByRole }, held)
}
