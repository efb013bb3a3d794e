import type { PlanEntity } from '#configuration/entities'
import type { ConnectionEntity, ProviderPluginDetails } from '#integrations/connection_entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { NewAppAnswers } from './answers.js'
import { newAppView } from './view.js'

async function read({
  ask,
  params: { orgId },
  reader,
  refused,
  typed,
  answer,
}: PageCall): Promise<NewAppAnswers> {
  const connections = reader.may('listConnections')
    ? (await ask<ConnectionEntity[]>('listConnections', { params: { orgId } })).body.filter(
        ({ plugin, status }) => plugin.isRunning && status !== 'disconnected'
      )
    : []
  const ids = [...new Set(connections.map(({ plugin }) => plugin.id))]
  const plugins = await Promise.all(
    ids.map((pluginId) =>
      ask<ProviderPluginDetails>('getProviderPlugin', { params: { orgId, pluginId } })
    )
  )
  return {
    connections,
    plugins: plugins.map(({ body }) => body),
    typed: refused ?? typed ?? null,
    plan: (answer as PlanEntity | undefined) ?? null,
  }
}

/** The forms that make an app: from a few fields, or from a configuration file. */
export const newAppPage = page({
  path: addresses.newApp,
  template: 'new_app/page',
  read,
  view: newAppView,
})
