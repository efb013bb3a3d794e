import type { PluginManifest } from '../manifest.js'
import type { Credentials } from './door.js'

/**
 * A credential as a plugin is given it. Refresh tokens are the port's alone: one that is used
 * twice is withdrawn.
 */
export function secretOf(
  { auth }: Pick<PluginManifest, 'auth'>,
  credentials: Credentials,
  name: string
): unknown {
  const isPorts = name === 'refreshToken' && auth.some(({ scheme }) => scheme === 'oauth2')
  return !isPorts && Object.hasOwn(credentials, name) ? credentials[name] : undefined
}
