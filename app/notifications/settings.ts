import { change, of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { DEFAULT_LEAD_MINUTES } from '#planning/vocabulary'
import {
  appNotifications,
  type ChannelTrouble,
  type NotificationSetting,
  type NotificationSettings,
} from './tables.js'
import { NOTIFICATION_TYPES, NOTIFIED_BY_DEFAULT, type NotificationType } from './vocabulary.js'

const SELECT_BY_APP = select(
  of(appNotifications, 'n', ['settings', 'troubles']),
  'from app_notifications n where n.organization_id = :org and n.app_id = :appId'
)
const STORE = change(
  `insert into app_notifications (organization_id, app_id, settings, troubles)
  values (:org, :app_id, :settings, :troubles)
  on conflict (app_id) do update set
    settings = excluded.settings, troubles = excluded.troubles`
)

interface Stored {
  settings: NotificationSettings
  troubles: readonly ChannelTrouble[]
}

/** Returns an app's settings, cached per transaction and kept current by changes. */
export function notificationsOf(scope: Scope, appId: string): Promise<Readonly<Stored>> {
  return scope.once(`notifications of ${appId}`, async () => {
    const [row] = await scope.rows(SELECT_BY_APP, { appId })
    return row ?? { settings: {}, troubles: [] }
  })
}

export async function changeNotifications(
  scope: Scope,
  appId: string,
  changes: Partial<Stored>
): Promise<void> {
  const stored = await notificationsOf(scope, appId)
  Object.assign(stored, changes)
  await scope.change(STORE, storedRow(appNotifications, { appId, ...stored }))
}

/** Returns whether chats receive a type; always true for a reminder, which planning switches. */
export function isNotified(settings: NotificationSettings, type: NotificationType): boolean {
  return settings[type]?.enabled ?? NOTIFIED_BY_DEFAULT[type]
}

/** An app's settings of a type, as a configuration file describes them; absent for defaults. */
export interface ConfiguredNotification extends NotificationSetting {
  /** For reminders alone: planning stores it. */
  leadTimeMinutes?: number
}
export type NotificationsConfiguration = Partial<Record<NotificationType, ConfiguredNotification>>

/** Returns settings in a fixed order, without values that equal the default. */
export function withoutDefaults(settings: NotificationsConfiguration): NotificationsConfiguration {
  return Object.fromEntries(
    NOTIFICATION_TYPES.flatMap((type) => {
      const { enabled, channelOverride, leadTimeMinutes } = settings[type] ?? {}
      const set: ConfiguredNotification = {
        ...(enabled !== undefined && enabled !== NOTIFIED_BY_DEFAULT[type] && { enabled }),
        ...(channelOverride !== undefined && { channelOverride }),
        ...(leadTimeMinutes !== undefined &&
          leadTimeMinutes !== DEFAULT_LEAD_MINUTES && { leadTimeMinutes }),
      }
      return Object.keys(set).length > 0 ? [[type, set]] : []
    })
  )
}
