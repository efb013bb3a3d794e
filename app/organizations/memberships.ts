import { InputErrors } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { requireHeld } from './grants.js'
import type Group from './models/group.js'
import User from './models/user.js'
import { groupMembers } from './tables.js'

/**
 * Replaces the members of a group with exactly these people.
 * @returns whether anything changed
 * @throws invalid_input with every address that belongs to no user; action_missing if somebody is
 * added to a group with more rights than the requester
 */
export async function replaceMembers(
  scope: Scope,
  group: Group,
  emails: readonly string[]
): Promise<boolean> {
  const errors = new InputErrors()
  const users = await checkMembers(scope, emails, errors)
  errors.throwIfAny()
  const rows: { user_id: string }[] = await scope
    .table('group_members')
    .where('group_id', group.id)
    .select('user_id')
  const wanted = new Set(users.map(({ id }) => id))
  const current = new Set(rows.map((row) => row.user_id))
  const added = [...wanted].filter((id) => !current.has(id))
  const removed = [...current].filter((id) => !wanted.has(id))
  if (added.length > 0) requireHeld(scope, group.userActions)
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

/**
 * Returns the users with these addresses. An address that belongs to nobody, or to a deactivated
 * person, is a fault.
 * @param emails undefined in place of malformed addresses
 */
export async function checkMembers(
  scope: Scope,
  emails: readonly (string | undefined)[],
  errors: InputErrors
): Promise<User[]> {
  const users = await scope.query(User).whereIn(
    'email',
    emails.flatMap((email) => email ?? [])
  )
  const known = new Map(users.map((user) => [user.email, user]))
  for (const [index, email] of emails.entries()) {
    if (email === undefined) continue
    const pointer = `/userEmails/${index}`
    const user = known.get(email)
    if (!user) {
      const message = `No user of the organization has the address ${email}.`
      errors.add({ pointer, code: 'unknown_user', message })
    } else if (user.deactivatedAt !== null) {
      errors.add({ pointer, code: 'deactivated_user', message: `${email} is deactivated.` })
    }
  }
  return users
}

/** Adds people to groups. */
export async function addMemberships(
  scope: Scope,
  memberships: readonly { groupId: string; userId: string }[]
): Promise<void> {
  await scope.insert(
    groupMembers,
    memberships.map((each) => ({ ...each, createdAt: scope.now }))
  )
}

/** Removes a person from groups. */
export async function leaveGroups(
  scope: Scope,
  userId: string,
  groupIds: readonly string[]
): Promise<void> {
  if (groupIds.length === 0) return
  await scope
    .table('group_members')
    .where('user_id', userId)
    .whereIn('group_id', [...groupIds])
    .delete()
}
