import app from '@adonisjs/core/services/app'
import { ConnectProvider, type ConnectProviderInput } from '#integrations/actions/connect_provider'
import type Connection from '#integrations/models/connection'
import { plugins } from '#integrations/plugins/plugin_registry'
import type { World } from '#tests/support/world'

/** Connects a world with a plugin of the tests. */
export async function connect(
  world: World,
  plugin: string,
  input: Partial<Omit<ConnectProviderInput, 'manifest'>> = {}
): Promise<Connection> {
  const { manifest } = plugins.find(plugin)!
  const secrets = await app.container.make('integrations.secrets')
  const credentials = manifest.id === 'memory' ? { token: 'good-token' } : {}
  const given = { alias: null, settings: {}, credentials, check: null, ...input }
  return world.write((scope) => new ConnectProvider(scope, secrets).handle({ manifest, ...given }))
}
