import type { PluginManifest } from '../manifest.js'
import type { Credentials } from './door.js'

/**
 * Returns a credential for a plugin. Only the port uses refresh tokens, because a provider may
 * revoke one that is used twice.
 */
export function secretOf(
  { auth }: Pick<PluginManifest, 'auth'>,
  credentials: Credentials,
  name: string
): unknown {
  const isReserved = name === 'refreshToken' && auth.some(({ scheme }) => scheme === 'oauth2')
  return !isReserved && Object.hasOwn(credentials, name) ? credentials[name] : undefined
}
