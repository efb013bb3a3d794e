import { hash as digest, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BASE62, randomText } from '#foundation/core/ids'

/** The prefix of every key. */
export const KEY_PREFIX = 'tarmac_'
const FORM = /^tarmac_([0-9A-Za-z]{12})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A new key, which is shown once, with the parts that are stored. */
interface NewKey {
  id: string
  key: string
  secretHash: string
}

/**
 * Creates an API key: `<prefix>_` + 12 base62 id + 32 base62 secret + 6 base62 CRC32. It contains
 * no dot or dash, so a double click selects it.
 */
export function makeKey(): NewKey {
  const id = randomText(12)
  const secret = randomText(32)
  return {
    id,
    key: `${KEY_PREFIX}${id}${secret}${checksum(id + secret)}`,
    secretHash: hash(secret),
  }
}

/** Splits a key into its parts. Returns null when its form or checksum is wrong. */
export function parseKey(key: string): { id: string; secret: string } | null {
  const match = FORM.exec(key)
  if (!match || checksum(match[1] + match[2]) !== match[3]) return null
  return { id: match[1], secret: match[2] }
}

/** Compares a secret with a stored hash in constant time. */
export function verifySecret(secret: string, secretHash: string): boolean {
  return timingSafeEqual(Buffer.from(hash(secret), 'hex'), Buffer.from(secretHash, 'hex'))
}

function hash(secret: string): string {
  return digest('sha256', secret, 'hex')
}

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let index = 0; index < 6; index++) {
    digits = BASE62[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}
