import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, text } from '#foundation/core/database/table'
import { unrestricted } from '#foundation/core/principal'
import { clock, selects, unitOfWork } from '#foundation/core/services'
import { RevokeKey } from '#organizations/actions/revoke_key'
import { personName } from '#organizations/queries/people'
import { apiKeys } from '#organizations/tables'

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

/** Ends a key that acts as the owner of an account. Returns false if there is no such key. */
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
