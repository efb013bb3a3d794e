import { hash } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import { as, of, select } from '#foundation/core/database/statement'
import { json, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { Kind } from '#plugin-kit/kinds'
import type { IntegrationEntity } from '../entities.js'
import Integration from '../models/integration.js'
import type { IntegrationConfiguration, IntegrationData } from '../settings.js'
import { integrations } from '../tables.js'
import type { ConnectionStatus } from '../vocabulary.js'
import { codeOfApp } from './context_app.js'
import { failingConnections, type FailingConnection } from './connection_failures.js'

const SHOWN_STATUS: Record<ConnectionStatus, Static<typeof IntegrationEntity>['status']> = {
  connected: 'connected',
  unverified: 'connected',
  needs_reauth: 'authError',
  disconnected: 'disconnected',
}

const SELECT_BY_APP = select(
  {
    ...of(integrations, 'i'),
    pluginId: as(text(), 'c.plugin_id'),
    alias: as(optional(text()), 'c.alias'),
    status: as(text<ConnectionStatus>(), 'c.status'),
    settings: as(json<Record<string, unknown>>(), 'c.settings'),
  },
  `from integrations i
   join connections c on c.organization_id = i.organization_id and c.id = i.connection_id
   where i.organization_id = :org and i.app_id = :appId
   order by i.position, i.id`
)

/** Returns all integrations of an app in the order of its configuration file, once per scope. */
export const integrationsOfApp = (scope: Scope, appId: string) =>
  scope.rowsOnce(SELECT_BY_APP, { appId })

/** Prefetches the integrations of an app. */
export const prefetchIntegrations = (scope: Scope, appId: string) =>
  scope.prefetch(SELECT_BY_APP, { appId })

/** Returns the integrations of an app for the API, in the order of its configuration file. */
export async function integrationEntities(
  scope: Scope,
  appId: string,
  kind?: Kind
): Promise<Static<typeof IntegrationEntity>[]> {
  const rows = await scope.rows(SELECT_BY_APP, { appId })
  const failing = await failingConnections(scope, appId)
  return rows
    .filter((row) => kind === undefined || row.kind === kind)
    .map((row) => ({
      id: row.id,
      alias: row.key,
      type: row.type,
      kind: row.kind,
      provider: { id: row.connectionId, alias: row.alias },
      data: row.data,
      status: SHOWN_STATUS[row.status],
      lastSyncedAt: row.lastSyncedAt,
      failure: shownFailure(
        failing.find(({ id, integrationId }) =>
          integrationId === null ? id === row.connectionId : integrationId === row.id
        )
      ),
      createdAt: row.createdAt,
    }))
}

function shownFailure(failing: FailingConnection | undefined) {
  return failing ? { code: failing.code, message: failing.message, since: failing.since } : null
}

/** Returns the integrations of an app as its configuration file lists them. */
export async function integrationConfigurations(
  scope: Scope,
  appId: string
): Promise<IntegrationConfiguration[]> {
  const rows = await integrationsOfApp(scope, appId)
  return rows.map(({ key, type, kind, connectionId: provider, data }) => ({
    key,
    type,
    kind,
    provider,
    data,
  }))
}

const SELECT_BY_CONNECTION = select(
  { ...of(integrations, 'i', ['id', 'appId', 'connectionId', 'kind', 'data']), code: codeOfApp },
  `from integrations i
   where i.organization_id = :org and i.connection_id = :connectionId
   order by i.app_id, i.position, i.id`
)

/** Returns the integrations that use a connection, of all apps. */
export const integrationsOfConnection = (scope: Scope, connectionId: string) =>
  scope.rows(SELECT_BY_CONNECTION, { connectionId })

/** Returns the store integrations of apps, in the order of their configuration files. */
export async function storeIntegrations(
  scope: Scope,
  appIds: readonly string[]
): Promise<Pick<Integration, 'id' | 'appId' | 'destinationId' | 'data'>[]> {
  return scope
    .query(Integration)
    .whereIn('appId', [...appIds])
    .where('kind', 'appStore')
    .orderBy('position')
    .exec()
}

/** Returns the kinds and types of an app's integrations, in the order of its configuration file. */
export async function integrationTypes(scope: Scope, appId: string) {
  return (await integrationsOfApp(scope, appId)).map(({ kind, type }) => ({ kind, type }))
}

/** Returns an app's integrations of a kind with data, in the order of its configuration file. */
export async function integrationsOfKind(scope: Scope, appId: string, kind: Kind) {
  const rows = await integrationsOfApp(scope, appId)
  return rows
    .filter((row) => row.kind === kind)
    .map(({ id, key, type, connectionId, data }) => ({ id, key, type, connectionId, data }))
}

/** Returns an app's first integration of a kind, or the one with a given key; null if missing. */
export async function findIntegration(
  scope: Scope,
  appId: string,
  kind: Kind,
  key?: string
): Promise<{ id: string; key: string; connectionId: string } | null> {
  const rows = await integrationsOfApp(scope, appId)
  const found = rows.find((row) => row.kind === kind && (key === undefined || row.key === key))
  return found ? { id: found.id, key: found.key, connectionId: found.connectionId } : null
}

/**
 * Identifies the repository of an app: equal for two apps with the same repository, whatever
 * connections and keys they use. Null without version control.
 */
export async function repositoryOf(scope: Scope, appId: string): Promise<string | null> {
  const rows = await integrationsOfApp(scope, appId)
  const found = rows.find(({ kind }) => kind === 'versionControl')
  return found ? repositoryKey(found) : null
}

/** Returns the key of the repository of one integration. */
function repositoryKey({ type, data, settings }: RepositoryPlace): string {
  const host = settings.host ?? settings.baseUrl ?? ''
  return hash('sha256', JSON.stringify([type, host, data.repoName ?? '']), 'base64url')
}

interface RepositoryPlace {
  type: string
  data: IntegrationData
  settings: Record<string, unknown>
}
