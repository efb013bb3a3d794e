import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { transact } from '#foundation/core/database/transact'
import { clock } from '#foundation/core/services'
import { renameAccount } from '#organizations/actions/rename_account'

/** Changes the name of an account, and that of the person in each of its organizations. */
export async function changeName(accountId: string, name: string): Promise<void> {
  await transact(db, async (client) => {
    await from(client, 'accounts').where('id', accountId).update({ name, updated_at: clock.now() })
    await renameAccount(client, accountId, name)
  })
}
