import { DeleteApp } from '#apps/actions/delete_app'
import type { Scope } from '#foundation/core/scope'
import { releasesOfApp } from '#releases/queries/releases_of_app'
import type { PlannedChange } from '../plan.js'
import { planRemoval } from '../plan_removal.js'
import { loadConfiguration } from './load_configuration.js'

/** Lists what deleting an app would delete. @throws as `DeleteApp` does */
export async function planAppRemoval(
  scope: Scope,
  appId: string,
  isForced: boolean
): Promise<PlannedChange[]> {
  const app = await new DeleteApp(scope).requireRemovable(appId, isForced)
  const current = await loadConfiguration(scope, app)
  return planRemoval(current, await releasesOfApp(scope, appId))
}
