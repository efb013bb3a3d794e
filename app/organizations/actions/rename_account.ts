import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'

/** Gives a person the name of the account that signs in, in all of its organizations. */
export async function renameAccount(
  client: QueryClientContract,
  accountId: string,
  name: string
): Promise<void> {
  await from(client, 'users').where('account_id', accountId).update({ name })
}
