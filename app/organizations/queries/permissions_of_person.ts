import type { Permissions } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { GROUPS_OF_PERSON, personPermissions } from '../person_permissions.js'
import type { Person } from './find_person.js'
import { hasRoleBasedAccess } from './role_based_access.js'

/** Returns the permissions of a person who acts through a provider: the same as when signed in. */
export async function permissionsOfPerson(
  scope: Scope,
  { id, isAdmin }: Person
): Promise<Permissions> {
  const isByRole = await hasRoleBasedAccess(scope)
  const groups = await scope.rows(GROUPS_OF_PERSON, { user: id })
  return personPermissions({ admin: isAdmin, isByRole }, groups)
}
