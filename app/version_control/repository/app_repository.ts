import type App from '#apps/models/app'
import { findApp } from '#apps/queries/find_app'
import type { BranchSettings } from '#apps/settings'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { findIntegration } from '#integrations/queries/app_integrations'
import type { VersionControl } from '#plugin-kit/capabilities/source'

/** Timeout of a call that somebody waits for, in milliseconds. */
const TIMEOUT = 25_000

/** The repository of an app, and the names of its branches. */
export interface AppRepository {
  app: App
  integration: { id: string; key: string; connectionId: string }
  branches: BranchSettings | null
}

/** Returns the repository of an app; null if it has none. @throws not_found */
export async function findRepository(scope: Scope, appId: string): Promise<AppRepository | null> {
  const app = await findApp(scope, appId)
  const integration = await findIntegration(scope, appId, 'versionControl')
  if (!integration) return null
  const branches = app.branchSettings.find((each) => each.integration === integration.key) ?? null
  return { app, integration, branches }
}

/** @throws not_found, integration_missing */
export async function requireRepository(scope: Scope, appId: string): Promise<AppRepository> {
  const found = await findRepository(scope, appId)
  if (found) return found
  throw refuse('integration_missing', {
    detail: `${appId} has no version-control integration.`,
  })
}

/**
 * Calls the version control of an app while somebody waits.
 * @throws provider_error
 */
export function askRepository<Result>(
  scope: Scope,
  { integration }: AppRepository,
  ask: (versionControl: VersionControl) => Promise<Result>
): Promise<Result> {
  const signal = AbortSignal.timeout(TIMEOUT)
  return askProvider(scope, { integration, kind: 'versionControl', signal }, ask)
}
