import { DeleteApp } from '#apps/actions/delete_app'
import type { Scope } from '#foundation/core/scope'
import { planRemoval, type PlannedChange } from '../plan.js'
import { loadConfiguration } from './load_configuration.js'

/** What removing an app would take with it. @throws as `DeleteApp` does */
export async function planAppRemoval(
  scope: Scope,
  appId: string,
  isForced: boolean
): Promise<PlannedChange[]> {
  const app = await new DeleteApp(scope).demandRemovable(appId, isForced)
  return planRemoval(await loadConfiguration(scope, app))
}
