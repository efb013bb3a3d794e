import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'

/** The apps of an organization, which the module of apps knows. */
interface OrganizationApps {
  count(scope: Scope): Promise<number>
  /** Those of some ids that the organization has. */
  known(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** Makes a person a user of all of them. */
  join(scope: Scope, userId: string): Promise<void>
}

/** The part of a higher module in an organization. */
export interface OrganizationPart {
  apps?: OrganizationApps
  /** A group goes: it is taken off whatever the module keeps of it. */
  removeGroup?(scope: Scope, groupId: string): Promise<void>
}

export const organizationParts = new ExtensionPoint<OrganizationPart>()

/** A list of people and groups without a group. */
export function withoutGroup<Party extends { type: string; id: string | null }>(
  parties: readonly Party[],
  groupId: string
): Party[] {
  return parties.filter((party) => party.type !== 'group' || party.id !== groupId)
}
