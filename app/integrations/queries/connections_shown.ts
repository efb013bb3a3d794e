import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { SecretBox } from '#foundation/core/secret_box'
import { makesSecret } from '../callbacks/hook_secrets.js'
import { callbackPath, callbackUrl, type CallbackAddress } from '../callbacks/callback_url.js'
import type { ConnectionDetails, ConnectionEntity } from '../connection_entities.js'
import { openCredentials } from '../connections/credentials.js'
import { plugins } from '../plugins/plugin_registry.js'
import { integrations } from '../tables.js'
import { failuresOf, unreadConnections } from './connection_failures.js'
import { diagnoseConnection } from './diagnose_connection.js'
import { endOfCredentials } from './ending_connections.js'
import { findHook } from './find_hook.js'
import { listConnections, type ListedConnection } from './list_connections.js'

const USES = select(
  of(integrations, 'i', ['id', 'appId', 'connectionId', 'key', 'type']),
  'from integrations i where i.organization_id = :org order by i.app_id, i.position, i.id'
)

/** Returns the connections of the organization as pages show them, oldest first. */
export async function connectionEntities(scope: Scope): Promise<ConnectionEntity[]> {
  return (await readAll(scope)).map(({ shown }) => shown)
}

/** Returns a connection as pages show it. @throws not_found */
export async function connectionEntity(scope: Scope, id: string): Promise<ConnectionEntity> {
  return (await findShown(scope, id)).shown
}

/** Returns a connection with all details. @throws not_found */
export async function connectionDetails(
  scope: Scope,
  secrets: SecretBox,
  id: string
): Promise<ConnectionDetails> {
  const { connection, shown } = await findShown(scope, id)
  const { hosts, budget } = await diagnoseConnection(scope, connection, scope.now)
  const { version, fingerprint } = connection.credentials
  return {
    ...shown,
    credentials: { names: await credentialNames(scope, secrets, id), version, fingerprint },
    callback: await callbackOf(scope, connection),
    budget,
    closedHosts: hosts
      .filter(({ breaker }) => breaker === 'open')
      .map(({ host, since }) => ({ host, since })),
  }
}

async function findShown(scope: Scope, id: string) {
  const found = (await readAll(scope)).find(({ connection }) => connection.id === id)
  if (!found) throw refuse('not_found')
  return found
}

async function readAll(scope: Scope) {
  const connections = await listConnections(scope)
  const uses = await scope.rows(USES)
  const names = new Map(connections.map(({ id, alias }) => [id, alias ?? id]))
  const nameOf = (id: string) => names.get(id) ?? id
  const unread = await unreadConnections(scope, nameOf)
  const failures = await failuresOf(
    scope,
    connections.map(({ id, status }) => ({ id, name: nameOf(id), status }))
  )
  return connections.map((connection) => {
    const { id, alias, status, types, settings, account, checkFailure } = connection
    const { missingPermissions, checkedAt, endsAt, createdAt, updatedAt } = connection
    const shown: ConnectionEntity = {
      ...{ id, alias, plugin: pluginOf(connection), types, status, account, missingPermissions },
      checkFailure,
      failure: failures.get(id) ?? unread.get(id) ?? null,
      ...{ settings, checkedAt, endsAt },
      ending: endOfCredentials(connection, scope.now)?.message ?? null,
      uses: uses
        .filter(({ connectionId }) => connectionId === id)
        .map(({ id: integrationId, appId, key, type }) => ({
          ...{ integrationId, appId, alias: key, type },
        })),
      ...{ createdAt, updatedAt },
    }
    return { connection, shown }
  })
}

function pluginOf({ plugin: id }: ListedConnection): ConnectionEntity['plugin'] {
  const plugin = plugins.find(id)
  return {
    id,
    name: plugin?.manifest.name ?? id,
    isRunning: plugin !== null,
    takesWebhooks: plugin !== null && makesSecret(plugin),
  }
}

/** Returns the names of the credentials; empty if they are removed or unreadable. */
async function credentialNames(scope: Scope, secrets: SecretBox, id: string): Promise<string[]> {
  try {
    return Object.keys((await openCredentials(scope, secrets, id)).credentials)
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

async function callbackOf(scope: Scope, { id, plugin }: ListedConnection) {
  if (!plugins.find(plugin)?.webhooks) return null
  const address: CallbackAddress = { of: 'connection', id }
  const hook = await findHook(scope, address)
  return { url: callbackUrl(address), path: callbackPath(address), ...hook }
}
