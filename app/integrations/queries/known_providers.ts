import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { providerTypes, type KnownProvider } from '../known_provider.js'
import { plugins } from '../plugins/plugin_registry.js'
import { connections } from '../tables.js'

const PROVIDERS = select(
  of(connections, 'c', ['id', 'alias', 'pluginId']),
  'from connections c where c.organization_id = :org order by c.created_at, c.id'
)

/** Returns the providers that files of the organization may name. */
export async function knownProviders(scope: Scope): Promise<KnownProvider[]> {
  const rows = await scope.rows(PROVIDERS)
  return rows.map(({ id, alias, pluginId }) => {
    const plugin = plugins.find(pluginId)
    return { id, alias, vendor: pluginId, types: plugin ? providerTypes(plugin.manifest) : [] }
  })
}
