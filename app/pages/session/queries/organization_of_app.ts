import { of, select } from '#foundation/core/database/statement'
import { selects } from '#foundation/core/services'
import { apps } from '#apps/tables'

const FOUND = select(
  of(apps, 'a', ['organizationId']),
  `from apps a join users u on u.organization_id = a.organization_id
   where a.id = :app and u.account_id = :account`
)

/** Returns the organization of an app; null if the account does not belong to it. */
export async function organizationOfApp(app: string, account: string): Promise<string | null> {
  // No id contains this character, and PostgreSQL refuses it in text.
  if (app.includes('\0')) return null
  const [row] = await selects.rows(FOUND, { app, account })
  return row?.organizationId ?? null
}
