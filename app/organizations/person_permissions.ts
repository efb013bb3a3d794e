import { of, select } from '#foundation/core/database/statement'
import type { Permissions } from '#foundation/core/principal'
import { groups } from './tables.js'
import { userActions } from './vocabulary.js'

/** The groups of a person, with their user actions. */
export const GROUPS_OF_PERSON = select(
  of(groups, 'g', ['id', 'userActions']),
  `from group_members m join groups g on g.id = m.group_id
  where m.organization_id = :org and m.user_id = :user`
)

/** The user actions of everybody in an organization without role-based access. */
const ALL_ACTIONS: ReadonlySet<string> = new Set(userActions)

/**
 * Returns the permissions of a person, whether signed in or with a personal key.
 * @param isByRole true if the organization has role-based access
 */
export function personPermissions(
  { admin, isByRole }: { admin: boolean; isByRole: boolean },
  held: readonly { id: string; userActions: readonly string[] }[]
): Permissions {
  return {
    admin,
    actions: isByRole ? new Set(held.flatMap((group) => group.userActions)) : ALL_ACTIONS,
    groupIds: held.map((group) => group.id),
    appIds: null,
  }
}
