import { of, select } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Kind } from '#plugin-kit/kinds'
import { openConnection } from './connections/open_connection.js'
import type { PluginCaller } from './plugins/plugin_caller.js'
import { findConnection, pluginOfConnection } from './queries/find_connection.js'
import { integrations } from './tables.js'

const BY_ID = select(
  of(integrations, 'i', ['id', 'connectionId', 'kind', 'data']),
  'from integrations i where i.organization_id = :org and i.id = :integrationId'
)

/**
 * What an app's integration can do, ready to be called. A provider is never called inside a
 * transaction: ask outside of one.
 * @throws not_found when there is no such integration of that kind; plugin_missing,
 * credentials_missing, credentials_unreadable
 */
export async function useIntegration<Each extends Kind>(
  scope: Scope,
  services: { secrets: SecretBox; caller: PluginCaller },
  wanted: {
    integrationId: string
    kind: Each
    signal: AbortSignal
    /** A person asked for it and waits, as for a halt; what runs by itself leaves room for that. */
    isPersons?: boolean
  }
): Promise<CapabilityMap[Each]> {
  const { integrationId, kind, signal, isPersons } = wanted
  const [integration] = await scope.rows(BY_ID, { integrationId })
  if (integration?.kind !== kind) {
    throw refuse('not_found', { detail: `There is no ${kind} integration ${integrationId}.` })
  }
  const connection = await findConnection(scope, integration.connectionId)
  return services.caller.capability(
    pluginOfConnection(connection),
    kind,
    await openConnection(scope, services.secrets, connection),
    { data: integration.data, integrationId, signal, isPersons }
  )
}
