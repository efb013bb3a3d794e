import type { Scope } from '#foundation/core/scope'
import { plugins } from '#integrations/plugins/plugin_registry'
import { knownProviders } from '#integrations/queries/known_providers'
import { followableApps } from '#planning/queries/followers'
import { destinationsOf } from '#apps/store_destinations'
import { trafficOfStores } from '#rollouts/queries/traffic'
import type { CheckContext } from '../checks/context.js'
import type { AppConfiguration } from '../model.js'

/** Loads the data that a file is checked against, for the scope's organization. */
export async function loadCheckContext<Current extends AppConfiguration | null>(
  scope: Scope,
  current: Current,
  appId: string | null = null
): Promise<CheckContext & { current: Current }> {
  const groups = await scope.table('groups').orderBy('name').select('name')
  const users = await scope.table('users').orderBy('email').select('email', 'name')
  return {
    providers: await knownProviders(scope),
    integrationTypes: plugins.types(),
    groups: groups.map((row) => row.name),
    users: users.map(({ email, name }) => ({ email, name })),
    followable: await followableApps(scope, appId),
    traffic: appId === null ? new Map() : await trafficByName(scope, appId),
    current,
  }
}

/** Returns the known traffic of each store, by the name of its destination in a file. */
async function trafficByName(scope: Scope, appId: string): Promise<CheckContext['traffic']> {
  const [, ...further] = await destinationsOf(scope, appId)
  const known = await trafficOfStores(scope, appId)
  const nameOf = (id: string | null) => further.find((each) => each.id === id)?.name ?? null
  return new Map([...known].map(([id, traffic]) => [nameOf(id), traffic]))
}
