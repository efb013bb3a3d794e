import { Hash } from '@adonisjs/core/hash'
import { Scrypt } from '@adonisjs/core/hash/drivers/scrypt'
import app from '@adonisjs/core/services/app'
import { lengthOf } from '#foundation/core/text'

const SHORTEST = 12
const LONGEST = 200

/**
 * 16 MiB and about a sixth of a second of one core: what OWASP asks of scrypt. Tests sign in all
 * the time, and have less.
 */
const hash = new Hash(
  new Scrypt(app.inTest ? { cost: 1024 } : { cost: 2 ** 14, blockSize: 8, parallelization: 5 })
)

/** A hash that no password has, for addresses that nobody has. */
const nobodys = hash.make('no password is this one')

/** Returns the fault of a new password, for people; null for none. */
export function passwordFault(password: string): string | null {
  const length = lengthOf(password)
  if (length < SHORTEST) return `Use at least ${SHORTEST} characters.`
  return length > LONGEST ? `Use at most ${LONGEST} characters.` : null
}

export const hashPassword = (password: string): Promise<string> => hash.make(password)

/**
 * Returns whether a password is that of a hash. It takes as long where there is no hash.
 * @param stored null for an account without a password, and for no account
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isLong = lengthOf(password) > LONGEST
  const isRight = await hash.verify(stored ?? (await nobodys), isLong ? '' : password)
  return isRight && stored !== null && !isLong
}

/** Returns whether a hash is of another strength than new ones. */
export const isOutdated = (stored: string): boolean => hash.needsReHash(stored)
