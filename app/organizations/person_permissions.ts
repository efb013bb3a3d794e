import { of, select } from '#foundation/core/database/statement'
import type { Permissions } from '#foundation/core/principal'
import { groups } from './tables.js'
import { userActions } from './vocabulary.js'

/** The groups of a person, with what each permits. */
export const GROUPS_OF_PERSON = select(
  of(groups, 'g', ['id', 'userActions']),
  'from group_members m join groups g on g.id = m.group_id where m.user_id = :user'
)

/** Everything, for organizations that do not distinguish people by their groups. */
const ALL_ACTIONS: ReadonlySet<string> = new Set(userActions)

/**
 * Returns the permissions of a person, signed in or by a personal key.
 * @param isByRole true if the organization distinguishes people by their groups
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
