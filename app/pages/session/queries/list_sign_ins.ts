import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { clock, selects } from '#foundation/core/services'
import { signIns } from '../tables.js'

const OWN = select(
  of(signIns, 's', ['id', 'client', 'address', 'createdAt', 'seenAt', 'expiresAt']),
  `from sign_ins s where s.account_id = :account and s.expires_at > :now
   order by s.seen_at desc, s.id`
)
const OF_USER = select(
  of(signIns, 's', ['id', 'client', 'createdAt', 'seenAt', 'expiresAt']),
  `from sign_ins s join users u on u.account_id = s.account_id
   where u.organization_id = :org and u.id = :user and s.expires_at > :now
   order by s.seen_at desc, s.id`
)

/** Where an account is signed in, for its owner. */
export const listOwnSignIns = (account: string): Promise<RowOfSelect<typeof OWN>[]> =>
  selects.rows(OWN, { account, now: clock.now() })

/** Where a person of the organization is signed in, without the addresses, for its admins. */
export const listSignIns = (scope: Scope, user: string): Promise<RowOfSelect<typeof OF_USER>[]> =>
  scope.rows(OF_USER, { user, now: scope.now })
