import type { Scope } from '#foundation/core/scope'
import { appPlan, reminderOf } from '#planning/plans/plans'
import type { NotificationEntity } from '../entities.js'
import { remindedPhase } from '../reminders.js'
import { isNotified, notificationsOf } from '../settings.js'
import { NOTIFICATION_TYPES, type NotificationType } from '../vocabulary.js'

/** Returns a notification as an app has set it. */
export async function notificationEntity(
  scope: Scope,
  appId: string,
  type: NotificationType
): Promise<NotificationEntity> {
  const { settings } = await notificationsOf(scope, appId)
  const phase = remindedPhase(type)
  const reminder = phase && reminderOf(await appPlan(scope, appId), phase)
  return {
    id: `${appId}:${type}`,
    type,
    enabled: reminder ? reminder.enabled : isNotified(settings, type),
    channelOverride: settings[type]?.channelOverride ?? null,
    leadTimeMinutes: reminder ? reminder.leadTimeMinutes : null,
  }
}

export function notificationEntities(scope: Scope, appId: string): Promise<NotificationEntity[]> {
  return Promise.all(NOTIFICATION_TYPES.map((type) => notificationEntity(scope, appId, type)))
}
