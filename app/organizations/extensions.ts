import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'

/** The apps of an organization, provided by the apps module. */
interface OrganizationApps {
  count(scope: Scope): Promise<number>
  /** Returns the given ids, without those of apps outside the organization. */
  existingIds(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** Makes a person a user of all apps. */
  join(scope: Scope, userId: string): Promise<void>
}

/** An extension of organizations by a higher module. */
export interface OrganizationExtension {
  apps?: OrganizationApps
  /** Called when a group is deleted. Removes it from the module's data. */
  removeGroup?(scope: Scope, groupId: string): Promise<void>
  /** Called when an account can no longer sign in to the organization. */
  leave?(scope: Scope, accountId: string): Promise<void>
}

export const organizationExtensions = new ExtensionPoint<OrganizationExtension>()

/** Returns a list of people and groups, with one group left out. */
export function withoutGroup<Party extends { type: string; id: string | null }>(
  parties: readonly Party[],
  groupId: string
): Party[] {
  return parties.filter((party) => party.type !== 'group' || party.id !== groupId)
}
