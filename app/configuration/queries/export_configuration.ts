import { findApp } from '#apps/queries/find_app'
import type { Scope } from '#foundation/core/scope'
import { loadConfiguration } from './load_configuration.js'

/**
 * Returns the configuration of an app as a YAML file that creates an equal app.
 * @throws not_found
 */
export async function exportConfiguration(scope: Scope, appId: string): Promise<string> {
  const { toYaml } = await import('../yaml/write_yaml.js')
  return toYaml(await loadConfiguration(scope, await findApp(scope, appId)))
}
