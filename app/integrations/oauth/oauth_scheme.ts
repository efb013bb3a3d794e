import { refuse } from '#foundation/core/problems/problem'
import type { AuthScheme, PluginManifest } from '#plugin-kit/manifest'

/** The scheme of a plugin whose connections can be made in a browser. @throws conflict */
export function oauthScheme({ auth, name }: Pick<PluginManifest, 'auth' | 'name'>) {
  const found = auth.find((each): each is Extract<AuthScheme, { scheme: 'oauth2' }> => {
    return each.scheme === 'oauth2'
  })
  if (found) return found
  throw refuse('conflict', {
    detail: `${name} cannot be connected in a browser: give credentials.`,
  })
}
