import { recordAppEvent } from '#apps/record_app_event'
import type { Scope } from '#foundation/core/scope'
import type { Phase } from '../calendar/freezes.js'
import { touchOpenReleases } from '../plans/touch_releases.js'
import { appPlan, changeAppPlan, reminderOf } from '../plans/plans.js'
import type { ReminderState } from '../tables.js'
import { REMINDER_OF } from '../vocabulary.js'

/** Sets whether people are reminded of a phase's target date, and how long before. */
export class SetReminder {
  constructor(private readonly scope: Scope) {}

  /** An absent member stays; the same values write nothing. */
  async handle(appId: string, phase: Phase, input: Partial<ReminderState>): Promise<void> {
    const { scope } = this
    const plan = await appPlan(scope, appId)
    const before = reminderOf(plan, phase)
    const { enabled = before.enabled, leadTimeMinutes = before.leadTimeMinutes } = input
    if (enabled === before.enabled && leadTimeMinutes === before.leadTimeMinutes) return
    const reminders = { ...plan.reminders, [phase]: { enabled, leadTimeMinutes } }
    await changeAppPlan(scope, appId, { reminders })
    const type = REMINDER_OF[phase]
    recordAppEvent(scope, appId, {
      type: 'app.reminderChanged',
      title: enabled
        ? `${type} is sent ${leadTimeMinutes} minutes before the date`
        : `${type} is not sent`,
      data: { type, enabled, leadTimeMinutes },
    })
    await touchOpenReleases(scope, appId)
  }
}
