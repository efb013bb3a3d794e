import { storeConfiguredRules } from '#comparison/approvals/change_rules'
import { UpdateFixForm } from '#fixes/actions/update_fix_form'
import { fixForm } from '#fixes/triage/form'
import type { Scope } from '#foundation/core/scope'
import { storeConfiguredNotifications } from '#notifications/configured_notifications'
import { NO_DRAFTS, type DraftChanges } from '#planning/actions/move_drafts'
import { storeConfiguredCadence } from '#planning/cadence/configured_cadence'
import { storeConfiguredAutomations, storeConfiguredFreezes } from '#planning/plans/configured_plan'
import {
  AUTOMATIONS_KEY,
  CADENCE_KEY,
  CHANGES_KEY,
  DESTINATIONS_KEY,
  FIXES_KEY,
  FREEZES_KEY,
  NOTIFICATIONS_KEY,
} from './document.js'
import { storeConfiguredRollouts } from '#rollouts/configured_rollouts'
import type { AppConfiguration } from './model.js'

type Store = (scope: Scope, appId: string, wanted: AppConfiguration) => Promise<DraftChanges | void>

const storeRollouts: Store = (scope, appId, wanted) => storeConfiguredRollouts(scope, appId, wanted)

const STORED_BY: Record<string, Store> = {
  [CADENCE_KEY]: (scope, appId, { scheduleCadence }) =>
    storeConfiguredCadence(scope, appId, scheduleCadence),
  [FREEZES_KEY]: (scope, appId, { lifecycleFreezes }) =>
    storeConfiguredFreezes(scope, appId, lifecycleFreezes),
  [AUTOMATIONS_KEY]: (scope, appId, { automations }) =>
    storeConfiguredAutomations(scope, appId, automations),
  [NOTIFICATIONS_KEY]: (scope, appId, { notifications }) =>
    storeConfiguredNotifications(scope, appId, notifications),
  [FIXES_KEY]: async (scope, appId, { fixForm: wanted }) =>
    new UpdateFixForm(scope).store(appId, await fixForm(scope, appId), wanted),
  [CHANGES_KEY]: (scope, appId, { changeApprovals }) =>
    storeConfiguredRules(scope, appId, changeApprovals),
  appStoreReleaseSettings: storeRollouts,
  [DESTINATIONS_KEY]: storeRollouts,
}

/**
 * Stores the parts of a configuration that have actions of their own: cadence, freezes,
 * automations, notifications, fix requests, rollout policies, and the changes that need an
 * approval.
 * @param sections the keys of the file that change; all by default
 * @returns the changes of existing drafts
 */
export async function storePlan(
  scope: Scope,
  appId: string,
  wanted: AppConfiguration,
  sections: ReadonlySet<string> = new Set(Object.keys(STORED_BY))
): Promise<DraftChanges> {
  let drafts = NO_DRAFTS
  for (const [key, store] of Object.entries(STORED_BY)) {
    if (sections.has(key)) drafts = (await store(scope, appId, wanted)) ?? drafts
  }
  return drafts
}
