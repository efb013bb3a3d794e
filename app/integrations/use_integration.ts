import { as, of, select } from '#foundation/core/database/statement'
import { integer, json, optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { Kind } from '#plugin-kit/kinds'
import { openSealed } from './connections/credentials.js'
import type { PluginCaller } from './plugins/plugin_caller.js'
import { codeOfApp, contextApp } from './queries/context_app.js'
import { pluginOfConnection } from './queries/find_connection.js'
import { integrations } from './tables.js'

/** An integration with its connection and that connection's current credentials. */
const BY_ID = select(
  {
    ...of(integrations, 'i', ['appId', 'connectionId', 'kind', 'data']),
    code: codeOfApp,
    pluginId: as(text(), 'c.plugin_id'),
    settings: as(json<Record<string, unknown>>(), 'c.settings'),
    version: as(optional(integer()), 's.version'),
    ciphertext: as(optional(text()), 's.ciphertext'),
  },
  `from integrations i
   join connections c on c.organization_id = i.organization_id and c.id = i.connection_id
   left join connection_secrets s on s.organization_id = i.organization_id
     and s.connection_id = i.connection_id and s.retired_at is null
   where i.organization_id = :org and i.id = :integrationId`
)

/**
 * Returns the capability of an app's integration, ready to be called. A provider is never called
 * inside a transaction: call this outside of one.
 * @throws not_found if there is no such integration of that kind; plugin_missing,
 *   credentials_missing, credentials_unreadable
 */
export async function useIntegration<Each extends Kind>(
  scope: Scope,
  services: { secrets: SecretBox; caller: PluginCaller },
  wanted: {
    integrationId: string
    kind: Each
    signal: AbortSignal
    /**
     * A person waits for the answer, as for a halt; background calls leave a part of the budget for
     * these.
     */
    isForPerson?: boolean
  }
): Promise<CapabilityMap[Each]> {
  const { integrationId, kind, signal, isForPerson } = wanted
  const [found] = await scope.rows(BY_ID, { integrationId })
  if (found?.kind !== kind) {
    throw refuse('not_found', { detail: `There is no ${kind} integration ${integrationId}.` })
  }
  const { connectionId: id, data, settings } = found
  const plugin = pluginOfConnection(found)
  const { version, credentials } = openSealed(scope, services.secrets, id, found)
  return services.caller.capability(
    plugin,
    kind,
    { organization: scope.organization, stored: { id, version }, settings, credentials },
    { data, app: contextApp(found), integrationId, signal, isForPerson }
  )
}
