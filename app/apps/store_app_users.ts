import { from } from '#foundation/core/database/from'
import { appUsers } from './tables.js'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { CreateUser } from '#organizations/actions/create_user'

/**
 * Makes sure that every address belongs to a user of the organization. An unknown address becomes
 * an invited user.
 * @returns ids in the order of the addresses
 */
export async function inviteUsers(scope: Scope, emails: readonly string[]): Promise<string[]> {
  let known = await idsOf(scope, emails)
  if (known.size < emails.length) {
    await excludeOtherInvitations(scope)
    known = await idsOf(scope, emails)
  }
  for (const email of emails) {
    if (known.has(email)) continue
    const user = await new CreateUser(scope).handle({ email, status: 'invited' })
    known.set(email, user.id)
    await yieldToOthers()
  }
  return emails.flatMap((email) => known.get(email) ?? [])
}

async function idsOf(scope: Scope, emails: readonly string[]): Promise<Map<string, string>> {
  const rows = await scope
    .table('users')
    .whereIn('email', [...emails])
    .select('id', 'email')
  return new Map(rows.map((row): [string, string] => [row.email, row.id]))
}

/** Locks the organization, as two concurrent files for two apps may name the same new address. */
async function excludeOtherInvitations(scope: Scope): Promise<void> {
  if (scope.client.dialect.name !== 'postgres') return
  const { id } = scope.organization
  await from(scope.client, 'organizations').where('id', id).select('id').forUpdate()
}

/** Replaces the users of an app with these users, in this order. */
export async function storeAppUsers(
  scope: Scope,
  appId: string,
  userIds: readonly string[]
): Promise<void> {
  await scope.table('app_users').where('app_id', appId).delete()
  await scope.insert(
    appUsers,
    userIds.map((userId, position) => ({ appId, userId, position }))
  )
}
