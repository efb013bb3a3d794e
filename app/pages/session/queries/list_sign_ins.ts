import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { clock, selects } from '#foundation/core/services'
import { signIns } from '../tables.js'
import { belongsElsewhere } from './belongs_elsewhere.js'

const OWN = select(
  of(signIns, 's', ['id', 'client', 'address', 'createdAt', 'seenAt', 'expiresAt']),
  `from sign_ins s where s.account_id = :account and s.expires_at > :now
   order by s.seen_at desc, s.id`
)
const SELECT_BY_USER = select(
  of(signIns, 's', ['id', 'client', 'createdAt', 'seenAt', 'expiresAt']),
  `from sign_ins s where s.account_id = :account and s.expires_at > :now
   order by s.seen_at desc, s.id`
)

/** Lists where an account is signed in, for its owner. */
export const listOwnSignIns = (account: string): Promise<RowOfSelect<typeof OWN>[]> =>
  selects.rows(OWN, { account, now: clock.now() })

/**
 * Lists where a person of the organization is signed in, without addresses, for its admins. It
 * lists nothing for an account that belongs to another organization, too.
 */
export async function listSignIns(
  scope: Scope,
  account: string | null
): Promise<{ belongsElsewhere: boolean; signIns: RowOfSelect<typeof SELECT_BY_USER>[] }> {
  if (account === null) return { belongsElsewhere: false, signIns: [] }
  if (await belongsElsewhere(scope, account)) return { belongsElsewhere: true, signIns: [] }
  return {
    belongsElsewhere: false,
    signIns: await selects.rows(SELECT_BY_USER, { account, now: scope.now }),
  }
}
