import { createHash, timingSafeEqual } from 'node:crypto'
import { randomText } from '#foundation/core/ids'

/** Makes a token by which a plugin reaches the world of an organization: its id and a secret. */
export const newToken = (organizationId: string): string => `${organizationId}.${randomText(32)}`

/** Returns the id of the organization in a token; null for a malformed one. */
export function organizationOf(token: string): string | null {
  const [organizationId, secret] = token.split('.')
  return organizationId && secret ? organizationId : null
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export function isTokenOf(token: string, tokenHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(token), 'hex'), Buffer.from(tokenHash, 'hex'))
}
