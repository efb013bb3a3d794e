import { recordAppEvent } from '#apps/record_app_event'
import type { Scope } from '#foundation/core/scope'
import { PHASES, type Phase } from '../calendar/freezes.js'
import { followInReleases } from '../follow.js'
import { appPlan, changeAppPlan, reminderOf } from '../plans.js'
import type { SetNotificationInput } from '../validators/planning_input.js'
import { REMINDER_OF } from '../vocabulary.js'

/** Sets whether a target date is reminded of, and how long before. */
export class SetNotification {
  constructor(private readonly scope: Scope) {}

  /** @returns the phase it reminds of */
  async handle(appId: string, input: SetNotificationInput): Promise<Phase> {
    const { scope } = this
    const phase = PHASES.find((each) => REMINDER_OF[each] === input.type)!
    const plan = await appPlan(scope, appId)
    const before = reminderOf(plan, phase)
    const { enabled = before.enabled, leadTimeMinutes = before.leadTimeMinutes } = input
    if (enabled === before.enabled && leadTimeMinutes === before.leadTimeMinutes) return phase
    const reminders = { ...plan.reminders, [phase]: { enabled, leadTimeMinutes } }
    await changeAppPlan(scope, appId, { reminders })
    recordAppEvent(scope, appId, {
      type: 'app.reminderChanged',
      title: enabled
        ? `${input.type} is sent ${leadTimeMinutes} minutes before the date`
        : `${input.type} is not sent`,
      data: { type: input.type, enabled, leadTimeMinutes },
    })
    await followInReleases(scope, appId)
    return phase
  }
}
