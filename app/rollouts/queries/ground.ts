import { storeKindOfApp } from '#apps/queries/app_summary'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { integrations } from '#integrations/tables'
import type { Ground } from '../policy/check_policy.js'
import { observedBy } from '../policy/observed.js'
import { trafficOfStores } from './traffic.js'

const OF_APP = select(
  of(integrations, 'i', ['kind', 'type']),
  'from integrations i where i.organization_id = :org and i.app_id = :appId'
)

/**
 * Returns the conditions that a policy of an app is checked against.
 * @param place the destination of the store; null for the first one
 */
export async function groundOf(scope: Scope, appId: string, place: string | null): Promise<Ground> {
  const people = await scope.table('users').select('email')
  return {
    observed: observedBy(await scope.rows(OF_APP, { appId })),
    people: new Set(people.map(({ email }) => email.toLowerCase())),
    isApple: (await storeKindOfApp(scope, appId)) === 'apple',
    traffic: (await trafficOfStores(scope, appId)).get(place) ?? new Map(),
  }
}
