import db from '@adonisjs/lucid/services/db'
import { from } from '#foundation/core/database/from'
import { AttemptLimits } from '../attempt_limits.js'
import { hashPassword, isOutdated, verifyPassword } from '../passwords.js'
import type { Account } from '../queries/find_account.js'

interface Attempt {
  /** The account to check the password of; null if no account has the e-mail address. */
  account: Account | null
  /** The e-mail address that was entered, in lower case. */
  email: string
  password: string
  /** The network address of the browser. */
  ip: string
}

/**
 * The account if the password is right. `wrong` and `wait`, in seconds, are the same whether or not
 * the account exists.
 */
type PasswordCheck = { account: Account } | { wait: number } | 'wrong'

/** Checks a password, with limited attempts. An unknown e-mail address takes just as long. */
export async function checkPassword(attempt: Attempt): Promise<PasswordCheck> {
  const { account, email, password, ip } = attempt
  const limits = new AttemptLimits(email, ip)
  const wait = await limits.wait()
  if (wait > 0) return { wait }
  const isRight = await verifyPassword(account?.passwordHash ?? null, password)
  if (!account || !isRight) return 'wrong'
  await limits.reset()
  const { id, passwordHash } = account
  if (passwordHash && isOutdated(passwordHash)) {
    await from(db, 'accounts')
      .where({ id, password_hash: passwordHash })
      .update({ password_hash: await hashPassword(password) })
  }
  return { account }
}
