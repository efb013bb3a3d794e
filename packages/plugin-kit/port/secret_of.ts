import type { PluginManifest } from '../manifest.js'
import type { Credentials } from './door.js'

/**
 * Returns a credential for a plugin. Refresh tokens stay with the port: a provider may revoke one
 * that is used twice.
 */
export function secretOf(
  { auth }: Pick<PluginManifest, 'auth'>,
  credentials: Credentials,
  name: string
): unknown {
  const isPorts = name === 'refreshToken' && auth.some(({ scheme }) => scheme === 'oauth2')
  return !isPorts && Object.hasOwn(credentials, name) ? credentials[name] : undefined
}
