import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { OrgEntity } from '../entities.js'
import Organization from '../models/organization.js'
import { organizationExtensions } from '../extensions.js'

/** Returns the scope's organization with its counts. */
export async function getOrganization(scope: Scope): Promise<OrgEntity> {
  const { client, organization } = scope
  const row = await Organization.find(organization.id, { client })
  if (!row) throw refuse('not_found')
  const apps = organizationExtensions.all.find((extension) => extension.apps)?.apps
  const [users] = await scope.table('users').count('* as total')
  return {
    id: row.id,
    name: row.name,
    iconUrl: row.iconUrl,
    createdAt: row.createdAt,
    roleBasedAccessEnabled: row.roleBasedAccessEnabled,
    addNewUsersToAllApps: row.addNewUsersToAllApps,
    appCount: (await apps?.count(scope)) ?? 0,
    userCount: Number(users.total),
  }
}
