import { Hash } from '@adonisjs/core/hash'
import { Scrypt } from '@adonisjs/core/hash/drivers/scrypt'
import app from '@adonisjs/core/services/app'
import { lengthOf } from '#foundation/core/text'

const MIN_LENGTH = 12
const MAX_LENGTH = 200

/**
 * The cost that OWASP recommends for scrypt: 16 MiB and about a sixth of a second of one core. Tests
 * sign in all the time, so they use less.
 */
const hash = new Hash(
  new Scrypt(app.inTest ? { cost: 1024 } : { cost: 2 ** 14, blockSize: 8, parallelization: 5 })
)

/** A hash to verify against if there is no account, so that it takes just as long. */
const dummyHash = hash.make('no password is this one')

/** Returns a message about an invalid new password; null for a valid one. */
export function passwordFault(password: string): string | null {
  const length = lengthOf(password)
  if (length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters.`
  return length > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters.` : null
}

export const hashPassword = (password: string): Promise<string> => hash.make(password)

/**
 * Returns whether a password matches a hash. It takes just as long if there is no hash.
 * @param stored null for an account without a password, and for no account
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const isLong = lengthOf(password) > MAX_LENGTH
  const isRight = await hash.verify(stored ?? (await dummyHash), isLong ? '' : password)
  return isRight && stored !== null && !isLong
}

/** Returns whether a hash has another cost than new ones. */
export const isOutdated = (stored: string): boolean => hash.needsReHash(stored)
