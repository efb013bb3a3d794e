import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { from, into } from '#foundation/core/database/from'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, storedRow, text } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { unrestricted } from '#foundation/core/principal'
import { clock, selects, unitOfWork } from '#foundation/core/services'
import { RevokeKey } from '#organizations/actions/revoke_key'
import { personName } from '#organizations/queries/people'
import { apiKeys, auditEntries } from '#organizations/tables'

const OWN = select(
  {
    ...of(apiKeys, 'k', ['id', 'name', 'organizationId', 'createdAt', 'expiresAt', 'lastUsedAt']),
    userId: as(text(), 'u.id'),
    email: as(text(), 'u.email'),
    personName: as(optional(text()), 'u.name'),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
  },
  `from api_keys k join users u on u.id = k.user_id join organizations o on o.id = k.organization_id
   where u.account_id = :account and k.revoked_at is null and k.expires_at > :now
   order by k.created_at desc, k.id`
)

/** Lists the keys that act as the owner of an account, in all organizations. */
export const listOwnKeys = (account: string): Promise<RowOfSelect<typeof OWN>[]> =>
  selects.rows(OWN, { account, now: clock.now() })

/** Ends a key that acts as the owner of an account. Returns false for one that there is not. */
export async function endOwnKey(account: string, id: string): Promise<boolean> {
  const key = (await listOwnKeys(account)).find((each) => each.id === id)
  if (!key) return false
  const { organizationId, organizationName, requireIfMatch, userId, email, personName: name } = key
  const organization = { id: organizationId, name: organizationName, requireIfMatch }
  const actor = { type: 'user', id: userId, name: personName({ email, name }) } as const
  await unitOfWork.inTransaction({ organization, actor, permissions: unrestricted }, (scope) =>
    new RevokeKey(scope).handle(id)
  )
  return true
}

interface Person {
  id: string
  organization_id: string
  email: string
  name: string | null
}

/** Ends the keys that act as the owner of an account, and programs that wait for one. */
export async function endOwnKeys(client: QueryClientContract, account: string): Promise<void> {
  const now = clock.now()
  const people: Person[] = await from(client, 'users')
    .where('account_id', account)
    .select('id', 'organization_id', 'email', 'name')
  for (const { organization_id: organizationId, ...person } of people) {
    await from(client, 'device_logins').where('user_id', person.id).update({ user_id: null })
    const keys: { id: string; name: string }[] = await from(client, 'api_keys')
      .where('user_id', person.id)
      .whereNull('revoked_at')
      .select('id', 'name')
    if (keys.length === 0) continue
    const ids = keys.map(({ id }) => id)
    await from(client, 'api_keys').whereIn('id', ids).update({ revoked_at: now })
    const actor = { type: 'user', id: person.id, name: personName(person) } as const
    const shared = { organizationId, action: 'key.revoked', actor, createdAt: now }
    await into(client, 'audit_entries').multiInsert(
      keys.map(({ id: subject, name }) =>
        storedRow(auditEntries, { ...shared, id: newId('aud'), subject, data: { name } })
      )
    )
  }
}
