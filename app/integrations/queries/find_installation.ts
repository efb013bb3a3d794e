import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '../tables.js'
import { codeOfApp } from './context_app.js'

const INSTALLATION = select(
  of(integrations, 'i', ['id', 'type', 'data']),
  `from integrations i
  where i.organization_id = :org and i.app_id = :appId and i.id = :installationId`
)

const BY_ID = select(
  { ...of(integrations, 'i', ['id', 'appId', 'connectionId', 'kind', 'data']), code: codeOfApp },
  'from integrations i where i.organization_id = :org and i.id = :id'
)

/** An integration as plugins see it, with the code of its app. */
export type CalledIntegration = RowOfSelect<typeof BY_ID>

/** Returns an integration by its id; null once no app uses it. */
export async function readIntegration(scope: Scope, id: string): Promise<CalledIntegration | null> {
  const [integration] = await scope.rows(BY_ID, { id })
  return integration ?? null
}

/**
 * Returns an integration, for calls to its provider.
 * @param id null if the app no longer uses it
 * @throws not_found
 */
export async function findIntegration(scope: Scope, id: string | null) {
  const integration = id === null ? null : await readIntegration(scope, id)
  if (!integration) throw refuse('not_found', { detail: 'The app no longer uses the integration.' })
  return integration
}

/**
 * Returns an integration of the app whose data is sent to the service.
 * @throws not_found; conflict when it is of another type
 */
export async function findInstallation(
  scope: Scope,
  appId: string,
  installationId: string,
  type: 'generic-ci' | 'generic-analytics'
) {
  const [installation] = await scope.rows(INSTALLATION, { appId, installationId })
  if (!installation) throw refuse('not_found')
  if (installation.type === type) return installation
  throw refuse('conflict', {
    detail: `The integration is of type ${installation.type}; this is for ${type}.`,
  })
}
