import type { Scope } from '#foundation/core/scope'
import { INTEGRATION_TYPES } from '#integrations/vocabulary'
import type { CheckContext } from '../checks/context.js'
import type { AppConfiguration } from '../model.js'

/** What a file is held against in the organization of a scope. */
export async function loadCheckContext<Current extends AppConfiguration | null>(
  scope: Scope,
  current: Current
): Promise<CheckContext & { current: Current }> {
  const groups = await scope.table('groups').orderBy('name').select('name')
  const users = await scope.table('users').orderBy('email').select('email', 'name')
  return {
    // No provider can be connected yet.
    providers: [],
    integrationTypes: INTEGRATION_TYPES,
    groups: groups.map((row) => row.name),
    users: users.map(({ email, name }) => ({ email, name })),
    current,
  }
}
