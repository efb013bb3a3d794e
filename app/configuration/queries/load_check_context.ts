import type { Scope } from '#foundation/core/scope'
import { plugins } from '#integrations/plugins/plugin_registry'
import { knownProviders } from '#integrations/queries/known_providers'
import { followableApps } from '#planning/queries/followers'
import type { CheckContext } from '../checks/context.js'
import type { AppConfiguration } from '../model.js'

/** What a file is held against in the organization of a scope. */
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
    current,
  }
}
