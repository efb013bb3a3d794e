import { compareTexts } from '../../foundation/core/compare_texts.js'
import { refuse } from '#foundation/core/problems/problem'
import type { Plugin } from '#plugin-kit/plugin'
import type { ProviderPluginDetails, ProviderPluginEntity } from '../connection_entities.js'
import { redirectUriOf } from '../oauth/answer_path.js'
import { hasBrowser } from '../oauth/oauth_scheme.js'
import { capabilitiesOf, plugins } from '../plugins/plugin_registry.js'

/** Returns the plugins that run, by name. */
export const listPlugins = (): ProviderPluginEntity[] =>
  plugins.all
    .map(shown)
    .toSorted(
      (one, other) => one.name.localeCompare(other.name, 'en') || compareTexts(one.id, other.id)
    )

/** @throws not_found */
export function findPlugin(id: string): Plugin {
  const plugin = plugins.all.find(({ manifest }) => manifest.id === id)
  if (plugin) return plugin
  throw refuse('not_found')
}

/** Returns a plugin with all that a person needs to connect it. @throws not_found */
export async function pluginDetails(
  id: string,
  serviceUrl: string
): Promise<ProviderPluginDetails> {
  const plugin = findPlugin(id)
  const { docsUrl, auth, credentialSchema, connectionSchema } = plugin.manifest
  return {
    ...shown(plugin),
    docsUrl,
    schemes: auth.map(({ scheme }) => scheme),
    credentialSchema: { ...credentialSchema },
    connectionSchema: { ...connectionSchema },
    capabilities: capabilitiesOf(plugin.manifest).map(({ kind, type, platforms, dataSchema }) => ({
      ...{ kind, type, platforms: platforms ? [...platforms] : null },
      ...{ dataSchema: dataSchema ? { ...dataSchema } : null },
    })),
    browser: hasBrowser(plugin) ? await browserOf(plugin, redirectUriOf(serviceUrl)) : null,
  }
}

const shown = (plugin: Plugin): ProviderPluginEntity => {
  const { id, name, version, auth, credentialSchema, connectionSchema } = plugin.manifest
  const takesNothing = [credentialSchema, connectionSchema].every(
    ({ properties }) => Object.keys(properties).length === 0
  )
  const isGiven = !takesNothing && auth.some(({ scheme }) => scheme !== 'oauth2')
  return {
    ...{ id, name, version },
    kinds: capabilitiesOf(plugin.manifest).map(({ kind }) => kind),
    ways: [
      ...(hasBrowser(plugin) ? (['browser'] as const) : []),
      ...(isGiven ? (['credentials'] as const) : []),
    ],
  }
}

async function browserOf({ setup }: Plugin, redirectUri: string) {
  const preparation = (await setup?.())?.default.preparation?.({ returnTo: redirectUri })
  if (!preparation) return { redirectUri, preparation: null }
  return { redirectUri, preparation: { ...preparation, gives: [...preparation.gives] } }
}
