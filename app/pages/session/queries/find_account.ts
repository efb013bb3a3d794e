import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { selects } from '#foundation/core/services'
import { accounts } from '../tables.js'

const COLUMNS = of(accounts, 'a', ['id', 'email', 'name', 'passwordHash', 'oidcSubject'])

const BY_EMAIL = select(COLUMNS, 'from accounts a where a.email = :email')
const BY_ID = select(COLUMNS, 'from accounts a where a.id = :id')

/** The parts of an account that signing in needs. */
export type Account = RowOfSelect<typeof BY_EMAIL>

/** Finds an account by its e-mail address in lower case. */
export async function accountOf(email: string): Promise<Account | null> {
  const [found] = await selects.rows(BY_EMAIL, { email })
  return found ?? null
}

/** Finds an account by its id. */
export async function findAccount(id: string): Promise<Account | null> {
  const [found] = await selects.rows(BY_ID, { id })
  return found ?? null
}
