import type { Scope } from '#foundation/core/scope'
import { SetReminder } from '#planning/actions/set_reminder'
import { appPlan, reminderOf } from '#planning/plans/plans'
import { DEFAULT_LEAD_MINUTES } from '#planning/vocabulary'
import { SetNotification } from './actions/set_notification.js'
import { remindedPhase } from './reminders.js'
import {
  isNotified,
  notificationsOf,
  withoutDefaults,
  type NotificationsConfiguration,
} from './settings.js'
import { NOTIFICATION_TYPES } from './vocabulary.js'

/** Returns an app's settings that differ from the defaults, in a fixed order. */
export async function configuredNotifications(
  scope: Scope,
  appId: string
): Promise<NotificationsConfiguration> {
  const { settings } = await notificationsOf(scope, appId)
  const plan = await appPlan(scope, appId)
  return withoutDefaults(
    Object.fromEntries(
      NOTIFICATION_TYPES.map((type) => {
        const phase = remindedPhase(type)
        const reminder = phase ? reminderOf(plan, phase) : null
        const { channelOverride } = settings[type] ?? {}
        return [type, { enabled: isNotified(settings, type), ...reminder, channelOverride }]
      })
    )
  )
}

/** Stores the notifications of an app as configured; types that are absent get their defaults. */
export async function storeConfiguredNotifications(
  scope: Scope,
  appId: string,
  configured: NotificationsConfiguration
): Promise<void> {
  for (const type of NOTIFICATION_TYPES) {
    const phase = remindedPhase(type)
    if (!phase) continue
    const { enabled = true, leadTimeMinutes = DEFAULT_LEAD_MINUTES } = configured[type] ?? {}
    await new SetReminder(scope).handle(appId, phase, { enabled, leadTimeMinutes })
  }
  const settings = NOTIFICATION_TYPES.map((type) => {
    const { enabled, channelOverride } = configured[type] ?? {}
    return [type, { enabled: remindedPhase(type) ? undefined : enabled, channelOverride }]
  })
  await new SetNotification(scope).store(appId, Object.fromEntries(settings))
}
