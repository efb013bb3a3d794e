import { recordAppEvent } from '#apps/record_app_event'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { SetReminder } from '#planning/actions/set_reminder'
import type { SetNotificationInput } from '../notification_input.js'
import { remindedPhase } from '../reminders.js'
import { changeNotifications, notificationsOf, withoutDefaults } from '../settings.js'
import type { NotificationSetting, NotificationSettings } from '../tables.js'

/** Sets whether and where chats are notified of a type; for a reminder also how long before. */
export class SetNotification {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input */
  async handle(appId: string, input: SetNotificationInput): Promise<void> {
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const { type, enabled, leadTimeMinutes, channelOverride } = input
    const phase = remindedPhase(type)
    if (phase) await new SetReminder(this.scope).handle(appId, phase, { enabled, leadTimeMinutes })
    const { settings } = await notificationsOf(this.scope, appId)
    const before = settings[type] ?? {}
    const changed: NotificationSetting = {
      // Planning stores whether a reminder is sent.
      enabled: phase ? undefined : (enabled ?? before.enabled),
      channelOverride:
        channelOverride === undefined ? before.channelOverride : (channelOverride ?? undefined),
    }
    await this.store(appId, { ...settings, [type]: changed })
  }

  /** Adds the errors that a valid shape does not exclude. */
  check(
    { type, leadTimeMinutes }: PartiallyValid<SetNotificationInput>,
    errors: InputErrors
  ): void {
    if (type === undefined || leadTimeMinutes === undefined || remindedPhase(type)) return
    const message = 'Only a reminder has a lead time.'
    errors.add({ pointer: '/leadTimeMinutes', code: 'not_a_reminder', message })
  }

  /** Stores an app's settings by type; unchanged settings write nothing. */
  async store(appId: string, wanted: NotificationSettings): Promise<void> {
    const { settings: before } = await notificationsOf(this.scope, appId)
    const settings = withoutDefaults(wanted)
    if (JSON.stringify(settings) === JSON.stringify(withoutDefaults(before))) return
    await changeNotifications(this.scope, appId, { settings })
    recordAppEvent(this.scope, appId, {
      type: 'app.notificationsChanged',
      title: 'The notifications of the chat were changed',
      data: { from: before, to: settings },
    })
  }
}
