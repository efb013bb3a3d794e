import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { planHook, requestUnhook } from './callbacks/hook_kinds.js'
import Integration from './models/integration.js'
import type { IntegrationConfiguration } from './settings.js'
import { hookOfIntegration } from './queries/find_hook.js'
import { integrations } from './tables.js'

/**
 * Replaces the integrations of an app by those of its configuration, matched by key.
 * @throws conflict when a connection was removed meanwhile
 */
export async function replaceIntegrations(
  scope: Scope,
  appId: string,
  wanted: readonly IntegrationConfiguration[]
): Promise<void> {
  await requireConnections(scope, wanted)
  const existing = await scope.query(Integration).where('appId', appId).exec()
  const keys = new Set(wanted.map(({ key }) => key))
  for (const integration of existing) {
    if (keys.has(integration.key)) continue
    await planHookRemoval(scope, integration.id)
    await integration.useTransaction(scope.transaction).delete()
    await yieldToOthers()
  }
  const known = new Map(existing.map((integration) => [integration.key, integration]))
  const added: [number, IntegrationConfiguration][] = []
  for (const [position, configuration] of wanted.entries()) {
    const integration = known.get(configuration.key)
    if (!integration) {
      added.push([position, configuration])
      continue
    }
    const { type, kind, provider: connectionId, data } = configuration
    integration.merge({ type, kind, connectionId, data, position })
    if (!integration.$isDirty) continue
    integration.updatedAt = scope.now
    await integration.useTransaction(scope.transaction).save()
    await planHook(scope, integration)
    await yieldToOthers()
  }
  scope.forget('integrations')
  await insertIntegrations(scope, { appId, destinationId: null }, added)
}

/**
 * Adds the integrations of a destination after the existing ones.
 * @throws conflict when a connection was removed meanwhile
 */
export async function appendIntegrations(
  scope: Scope,
  place: { appId: string; destinationId: string },
  added: readonly IntegrationConfiguration[]
): Promise<void> {
  await requireConnections(scope, added)
  const [last] = await scope
    .table('integrations')
    .where('app_id', place.appId)
    .max('position as position')
  const first = Number(last?.position ?? -1) + 1
  await insertIntegrations(
    scope,
    place,
    added.map((configuration, index) => [first + index, configuration])
  )
}

/**
 * Locks the connections, so that none is removed before this is stored. The order of ids prevents
 * deadlocks.
 */
async function requireConnections(
  scope: Scope,
  configurations: readonly IntegrationConfiguration[]
): Promise<void> {
  const ids = new Set(configurations.map(({ provider }) => provider))
  for (const id of [...ids].sort()) {
    if (await scope.lock('connections', id)) continue
    throw refuse('conflict', { detail: `The connection ${id} is gone; read the file again.` })
  }
}

async function insertIntegrations(
  scope: Scope,
  place: { appId: string; destinationId: string | null },
  added: readonly (readonly [number, IntegrationConfiguration])[]
): Promise<void> {
  const rows = added.map(([position, { key, type, kind, provider: connectionId, data }]) => ({
    id: newId('int'),
    ...place,
    connectionId,
    key,
    type,
    kind,
    data,
    position,
    lastSyncedAt: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }))
  await scope.insert(integrations, rows)
  for (const row of rows) {
    await planHook(scope, row)
    await yieldToOthers()
  }
}

/** Plans to remove the integration's webhook at the provider. */
async function planHookRemoval(scope: Scope, integrationId: string): Promise<void> {
  const hook = await hookOfIntegration(scope, integrationId)
  if (!hook?.providerRef) return
  await requestUnhook(scope, integrationId, { ...hook.place, ref: hook.providerRef })
}
