import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { from, into } from '#foundation/core/database/from'
import { storedRow } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { clock } from '#foundation/core/services'
import { personName } from '../queries/people.js'
import { auditEntries } from '../tables.js'

interface Row {
  id: string
  key_name: string
  user_id: string
  organization_id: string
  email: string
  name: string | null
}

/** Revokes the keys that act as the owner of an account, in all organizations; the owner is the actor. */
export async function revokeAccountKeys(
  client: QueryClientContract,
  account: string
): Promise<void> {
  const now = clock.now()
  const keys: Row[] = await from(client, 'api_keys as k')
    .join('users as u', 'u.id', 'k.user_id')
    .where('u.account_id', account)
    .whereNull('k.revoked_at')
    .select('k.id', 'k.name as key_name', 'u.id as user_id', 'u.organization_id')
    .select('u.email', 'u.name')
  if (keys.length === 0) return
  const ids = keys.map(({ id }) => id)
  await from(client, 'api_keys').whereIn('id', ids).update({ revoked_at: now })
  await into(client, 'audit_entries').multiInsert(
    keys.map(({ id: subject, user_id, organization_id: organizationId, key_name, ...person }) => {
      const actor = { type: 'user', id: user_id, name: personName(person) } as const
      const created = { id: newId('aud'), organizationId, subject, createdAt: now }
      const data = { name: key_name }
      return storedRow(auditEntries, { ...created, action: 'key.revoked', actor, data })
    })
  )
}
