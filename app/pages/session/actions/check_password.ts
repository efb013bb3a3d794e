import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { Guesses } from '../guesses.js'
import { hashPassword, isOutdated, verifyPassword } from '../passwords.js'
import type { Account } from '../queries/find_account.js'

interface Attempt {
  /** The account to check the password of; null if no account has the e-mail address. */
  account: Account | null
  /** The e-mail address that was entered, in lower case. */
  email: string
  password: string
  /** The network address of the browser. */
  address: string
}

/** The account if its password was right. `wrong` and seconds to wait do not reveal if it exists. */
type Checked = { account: Account } | { wait: number } | 'wrong'

/** Checks a password, with limited attempts. An unknown address takes just as long. */
export async function checkPassword(attempt: Attempt): Promise<Checked> {
  const { account, email, password, address } = attempt
  const guesses = new Guesses(email, address)
  const wait = await guesses.wait()
  if (wait > 0) return { wait }
  const isRight = await verifyPassword(account?.passwordHash ?? null, password)
  if (!account || !isRight) return 'wrong'
  await guesses.forget()
  const { id, passwordHash } = account
  if (passwordHash && isOutdated(passwordHash)) {
    await from(db, 'accounts')
      .where({ id, password_hash: passwordHash })
      .update({ password_hash: await hashPassword(password) })
  }
  return { account }
}
