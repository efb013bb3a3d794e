import app from '@adonisjs/core/services/app'
import { newId, randomText } from '#foundation/core/ids'
import { ConnectProvider } from '#integrations/actions/connect_provider'
import { plugins } from '#integrations/plugins/plugin_registry'
import type { IntegrationData } from '#integrations/settings'
import { integrations } from '#integrations/tables'
import type { Kind } from '#plugin-kit/kinds'
import type { World } from './world.js'

/** Example data of a build from custom CI. */
export const CUSTOM_BUILD = {
  buildIdentifier: '1873',
  branch: 'refs/heads/release/1.4.0',
  commitHash: '9f2c1d7e5b3a4c6d8e0f1a2b3c4d5e6f7a8b9c0d',
  workflowData: { workflowId: 'release.yml', workflowName: 'Release' },
}

const KIND_OF: Record<string, Kind> = {
  'generic-ci': 'ci',
  'generic-analytics': 'productAnalytics',
}

/** Adds an integration to an app that pushes its data to the service; answers its id. */
export async function installIntegration(
  world: World,
  appId: string,
  type: 'generic-ci' | 'generic-analytics',
  data: IntegrationData = {}
): Promise<string> {
  const { manifest } = plugins.find(type)!
  const secrets = await app.container.make('integrations.secrets')
  const id = newId('int')
  await world.write(async (scope) => {
    const given = { manifest, alias: null, settings: {}, credentials: {}, check: null }
    const connection = await new ConnectProvider(scope, secrets).handle(given)
    await scope.insert(integrations, [
      {
        id,
        appId,
        destinationId: null,
        connectionId: connection.id,
        key: `${type} ${randomText(6)}`,
        type,
        kind: KIND_OF[type],
        data,
        position: 0,
        lastSyncedAt: null,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
  })
  return id
}
