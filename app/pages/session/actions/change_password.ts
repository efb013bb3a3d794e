import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { transact } from '#foundation/core/database/transact'
import { clock } from '#foundation/core/services'
import { hashPassword } from '../passwords.js'
import { endSignIns } from './end_sign_in.js'

/** Changes the password of an account. Ends its other sessions and its keys. */
export async function changePassword(
  accountId: string,
  password: string,
  signInId: string
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await transact(db, async (client) => {
    await from(client, 'accounts')
      .where('id', accountId)
      .update({ password_hash: passwordHash, updated_at: clock.now() })
    await endSignIns(client, accountId, { but: signInId })
  })
}
