import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Plugin } from '#plugin-kit/plugin'
import Connection from '../models/connection.js'
import { plugins } from '../plugins/plugin_registry.js'

/** Returns a connection of the organization, by its id or alias. @throws not_found */
export async function findConnection(scope: Scope, name: string): Promise<Connection> {
  const byId = await scope.query(Connection).where('id', name).first()
  const found =
    byId ?? (await scope.query(Connection).where('aliasKey', name.toLowerCase()).first())
  if (!found) throw refuse('not_found', { detail: `There is no connection "${name}".` })
  return found
}

/** Returns the plugin of a connection. @throws plugin_missing if it is not running */
export function pluginOfConnection({ pluginId }: { pluginId: string }): Plugin {
  const plugin = plugins.find(pluginId)
  if (plugin) return plugin
  throw refuse('plugin_missing', { detail: `The plugin ${pluginId} does not run.` })
}
