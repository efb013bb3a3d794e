import { from } from '#foundation/core/database/from'
import type { Scope } from '#foundation/core/scope'

/**
 * Returns whether a key may act for a person only if a group gives the person the user action.
 * Otherwise it may act for any person of the organization (docs/decisions/0002-tenants-and-keys).
 */
export async function hasRoleBasedAccess(scope: Scope): Promise<boolean> {
  const row = await from(scope.client, 'organizations')
    .where('id', scope.organization.id)
    .select('role_based_access_enabled')
    .firstOrFail()
  return Boolean(row.role_based_access_enabled)
}
