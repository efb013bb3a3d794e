import { storeKindOfApp } from '#apps/queries/app_summary'
import type { Scope } from '#foundation/core/scope'
import { integrationTypes } from '#integrations/queries/app_integrations'
import type { Ground } from '../policy/check_policy.js'
import { crashMonitorOf, observedBy } from '../policy/observed.js'
import { trafficOfStores } from './traffic.js'

/**
 * Returns the conditions that a policy of an app is checked against.
 * @param place the destination of the store; null for the first one
 */
export async function groundOf(scope: Scope, appId: string, place: string | null): Promise<Ground> {
  const people = await scope.table('users').select('email')
  const integrations = await integrationTypes(scope, appId)
  return {
    observed: observedBy(integrations),
    crashMonitor: crashMonitorOf(integrations),
    people: new Set(people.map(({ email }) => email.toLowerCase())),
    isApple: (await storeKindOfApp(scope, appId)) === 'apple',
    traffic: (await trafficOfStores(scope, appId)).get(place) ?? new Map(),
  }
}
