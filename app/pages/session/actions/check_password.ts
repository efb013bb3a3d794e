import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { Guesses } from '../guesses.js'
import { hashPassword, isOutdated, verifyPassword } from '../passwords.js'
import type { Account } from '../queries/find_account.js'

interface Attempt {
  /** The account that the password is to be of; null for an address that nobody has. */
  account: Account | null
  /** As it was given, in lower case. */
  email: string
  password: string
  /** The network address that it came from. */
  address: string
}

/** The account whose password was right; `wrong`, and the seconds to wait, reveal no account. */
type Checked = { account: Account } | { wait: number } | 'wrong'

/** Checks a password, as often as it may be tried and equally long for an unknown address. */
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
