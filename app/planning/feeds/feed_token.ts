import { createHash } from 'node:crypto'
import { randomText } from '#foundation/core/ids'

/** Digits of base 62: 238 bits, which nobody guesses. */
const LENGTH = 40
const FORM = /^([0-9A-Za-z]{40})(?:\.ics)?$/

/** Returns a new token, which is shown once, and the hash that is stored. */
export function makeFeedToken(): { token: string; tokenHash: string } {
  const token = randomText(LENGTH)
  return { token, tokenHash: hashOf(token) }
}

/** Returns the hash of the token in an address; null without one. */
export function hashOfAddress(segment: string): string | null {
  const match = FORM.exec(segment)
  return match && hashOf(match[1])
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
