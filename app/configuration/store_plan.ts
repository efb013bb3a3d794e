import type { Scope } from '#foundation/core/scope'
import { storeConfiguredNotifications } from '#notifications/configured_notifications'
import { storeConfiguredCadence } from '#planning/configured_cadence'
import { storeConfiguredAutomations, storeConfiguredFreezes } from '#planning/configured_plan'
import { AUTOMATIONS_KEY, CADENCE_KEY, FREEZES_KEY, NOTIFICATIONS_KEY } from './document.js'
import type { AppConfiguration } from './model.js'

type Store = (scope: Scope, appId: string, wanted: AppConfiguration) => Promise<void>

const STORED_BY: Record<string, Store> = {
  [CADENCE_KEY]: (scope, appId, { scheduleCadence }) =>
    storeConfiguredCadence(scope, appId, scheduleCadence),
  [FREEZES_KEY]: (scope, appId, { lifecycleFreezes }) =>
    storeConfiguredFreezes(scope, appId, lifecycleFreezes),
  [AUTOMATIONS_KEY]: (scope, appId, { automations }) =>
    storeConfiguredAutomations(scope, appId, automations),
  [NOTIFICATIONS_KEY]: (scope, appId, { notifications }) =>
    storeConfiguredNotifications(scope, appId, notifications),
}

/**
 * Stores when releases leave, what happens by itself and who is told, as a configuration says.
 * @param sections the keys of the file that change; all unless given
 */
export async function storePlan(
  scope: Scope,
  appId: string,
  wanted: AppConfiguration,
  sections: ReadonlySet<string> = new Set(Object.keys(STORED_BY))
): Promise<void> {
  for (const [key, store] of Object.entries(STORED_BY)) {
    if (sections.has(key)) await store(scope, appId, wanted)
  }
}
