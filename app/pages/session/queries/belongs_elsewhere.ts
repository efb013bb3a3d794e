import { from } from '#foundation/core/database/from'
import type { Scope } from '#foundation/core/scope'

/** Returns whether an account signs in to another organization as well. */
export async function belongsElsewhere(
  { client, organization }: Scope,
  accountId: string
): Promise<boolean> {
  const found: unknown = await from(client, 'users')
    .where('account_id', accountId)
    .whereNot('organization_id', organization.id)
    .whereNull('deactivated_at')
    .select('id')
    .first()
  return found !== null
}
