import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { integrationConfigurations } from '#integrations/queries/app_integrations'
import { findIntegration } from '#integrations/queries/app_integrations'

/** The CI of an app that can start builds on request. Custom CI only reports its builds. */
export interface AppCi {
  id: string
  connectionId: string
  /** The CI system, one of `CIIntegrationId`. */
  type: string
  /** The workflow that makes candidates; null if the integration's data names none. */
  workflowId: string | null
}

/** Returns the CI that builds of an app can be requested from; null without one. */
export async function findCi(scope: Scope, appId: string): Promise<AppCi | null> {
  const all = await integrationConfigurations(scope, appId)
  const found = all.find(({ kind, type }) => kind === 'ci' && type !== 'generic-ci')
  const integration = found && (await findIntegration(scope, appId, 'ci', found.key))
  if (!found || !integration) return null
  const { workflowId } = found.data
  return {
    id: integration.id,
    connectionId: integration.connectionId,
    type: found.type,
    workflowId: typeof workflowId === 'string' ? workflowId : null,
  }
}

/** @throws integration_missing */
export async function requireCi(scope: Scope, appId: string): Promise<AppCi> {
  const found = await findCi(scope, appId)
  if (found) return found
  throw refuse('integration_missing', {
    detail: `${appId} has no CI integration that can be asked for a build.`,
  })
}
