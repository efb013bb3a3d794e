import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { revokeAccountKeys } from '#organizations/actions/revoke_account_keys'
import { revokeKeysOf } from '#organizations/actions/revoke_key'
import { recordAudit } from '#organizations/audit'
import User from '#organizations/models/user'
import { belongsElsewhere } from '../queries/belongs_elsewhere.js'

/**
 * Ends one session of an account (`only`); or all but one (`but`), or all (`but: null`), together with
 * the keys that act as its owner.
 * @param client the client of a transaction
 * @returns the number of ended sessions
 */
export async function endSignIns(
  client: QueryClientContract,
  accountId: string,
  which: { only: string } | { but: string | null }
): Promise<number> {
  const all = from(client, 'sign_ins').where('account_id', accountId)
  if ('only' in which) all.where('id', which.only)
  else if (which.but !== null) all.whereNot('id', which.but)
  const ended: unknown = await all.delete()
  if ('but' in which) {
    // A confirmed device login that has not fetched its key yet does not get one.
    const people = from(client, 'users').where('account_id', accountId).select('id')
    await from(client, 'device_logins').whereIn('user_id', people).update({ user_id: null })
    await revokeAccountKeys(client, accountId)
  }
  return Number(Array.isArray(ended) ? ended[0] : ended)
}

/** Ends one session of a person of the organization, or all and the keys that act as them. */
export class EndSignIn {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the number of ended sessions
   * @throws not_found for an unknown person or session; conflict for an account that belongs to
   *   another organization, too
   */
  async handle(input: { userId: string; signInId: string | null }): Promise<number> {
    const { scope } = this
    const user = await scope.query(User).where('id', input.userId).first()
    if (!user) throw refuse('not_found')
    if (user.accountId && (await belongsElsewhere(scope, user.accountId))) {
      throw refuse('conflict', {
        detail:
          'The account belongs to another organization, too, so only its owner can end sessions.',
      })
    }
    const which = input.signInId === null ? { but: null } : { only: input.signInId }
    if (input.signInId === null) await revokeKeysOf(scope, user.id)
    const ended = user.accountId ? await endSignIns(scope.transaction, user.accountId, which) : 0
    if (ended === 0 && input.signInId !== null) throw refuse('not_found')
    if (ended === 0) return 0
    await recordAudit(scope, {
      action: 'user.signedOut',
      subject: user.id,
      data: { sessions: ended },
    })
    return ended
  }
}
