import { refuse } from '#foundation/core/problems/problem'
import type { AuthScheme, PluginManifest } from '#plugin-kit/manifest'
import type { Plugin } from '#plugin-kit/plugin'

/** Returns whether connections of a plugin can be made in a browser. */
export const hasBrowser = ({ manifest, setup }: Plugin): boolean =>
  setup !== undefined || manifest.auth.some(({ scheme }) => scheme === 'oauth2')

/** Returns the scheme by which a person agrees to a connection in a browser. @throws conflict */
export function oauthScheme({ auth, name }: Pick<PluginManifest, 'auth' | 'name'>) {
  const found = auth.find((each): each is Extract<AuthScheme, { scheme: 'oauth2' }> => {
    return each.scheme === 'oauth2'
  })
  if (found) return found
  throw refuse('conflict', {
    detail: `${name} cannot be connected in a browser: give credentials.`,
  })
}
