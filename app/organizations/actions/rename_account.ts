import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { from } from '#foundation/core/database/from'

/** Renames the person behind an account in all of their organizations. */
export async function renameAccount(
  client: QueryClientContract,
  accountId: string,
  name: string
): Promise<void> {
  await from(client, 'users').where('account_id', accountId).update({ name })
}
