import { refuse } from '#foundation/core/problems/problem'
import { groupMembers } from '../tables.js'
import type { Scope } from '#foundation/core/scope'
import Group from '../models/group.js'
import User from '../models/user.js'

/** @throws default_group */
export function demandCustom(group: Group): void {
  if (!group.isDefault) return
  throw refuse('default_group', {
    detail: `${group.name} is a default group: its name and actions cannot change.`,
    currentStatus: 'default',
    allowedActions: [],
  })
}

/** @throws name_taken when another group has the name, without regard to case. */
export async function demandFreeName(scope: Scope, name: string, exceptId = ''): Promise<void> {
  const taken = await scope
    .query(Group)
    .where('nameKey', name.toLowerCase())
    .whereNot('id', exceptId)
    .first()
  if (!taken) return
  throw refuse('name_taken', {
    detail: `There is a group named ${taken.name}.`,
    errors: [{ pointer: '/name', code: 'name_taken', message: 'The name is taken.' }],
  })
}

/**
 * Makes exactly these people the members of a group.
 * @returns whether anything changed.
 * @throws invalid_input with every address that belongs to nobody.
 */
export async function replaceMembers(
  scope: Scope,
  group: Group,
  emails: readonly string[]
): Promise<boolean> {
  const users = await scope.query(User).whereIn('email', [...emails])
  const known = new Set(users.map(({ email }) => email))
  const errors = emails.flatMap((email, index) =>
    known.has(email)
      ? []
      : [
          {
            pointer: `/userEmails/${index}`,
            code: 'unknown_user',
            message: `No user of the organization has the address ${email}.`,
          },
        ]
  )
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })

  const rows: { user_id: string }[] = await scope
    .table('group_members')
    .where('group_id', group.id)
    .select('user_id')
  const wanted = new Set(users.map(({ id }) => id))
  const current = new Set(rows.map((row) => row.user_id))
  const added = [...wanted].filter((id) => !current.has(id))
  const removed = [...current].filter((id) => !wanted.has(id))
  await addMemberships(
    scope,
    added.map((userId) => ({ groupId: group.id, userId }))
  )
  if (removed.length > 0) {
    await scope
      .table('group_members')
      .where('group_id', group.id)
      .whereIn('user_id', removed)
      .delete()
  }
  return added.length + removed.length > 0
}

export async function addMemberships(
  scope: Scope,
  memberships: readonly { groupId: string; userId: string }[]
): Promise<void> {
  await scope.insert(
    groupMembers,
    memberships.map((each) => ({ ...each, createdAt: scope.now }))
  )
}
