import type { StoreKind } from '#apps/vocabulary'
import { parseInstant } from '#foundation/api/operation/input'
import {
  withoutDefaults,
  type ConfiguredNotification,
  type NotificationsConfiguration,
} from '#notifications/settings'
import { remindedPhase } from '#notifications/reminders'
import { MAX_CHANNEL, NOTIFICATION_TYPES } from '#notifications/vocabulary'
import { PHASES } from '#planning/calendar/freezes'
import {
  automationFault,
  inOrder,
  nonDefault,
  type AutomationsConfiguration,
  type FreezeConfiguration,
} from '#planning/plans/configured_plan'
import {
  AUTOMATIONS,
  AUTOMATION_OF,
  FOLLOW_UPS,
  FOLLOW_UP_OF,
  isOnByDefault,
  MAX_FREEZES,
  MAX_LEAD_MINUTES,
  PHASE_OF,
  SCHEDULED_AUTOMATIONS,
  type FollowUp,
} from '#planning/vocabulary'
import type { Inspector, Element } from './inspector.js'

const MAX_FREEZE_NAME = 100

/** Checks `x-lifecycleFreezes`: a list of freezes, in the form of a request. */
export function checkFreezes(inspector: Inspector, element: Element): FreezeConfiguration[] {
  const items = inspector.items(element, 'freezes', MAX_FREEZES)
  return inOrder(items.flatMap((item) => readFreeze(inspector, item) ?? []))
}

function readFreeze(inspector: Inspector, element: Element): FreezeConfiguration | undefined {
  const fields = inspector.fields(element, ['name', 'startAt', 'endAt', 'phases'])
  if (!fields) return undefined
  const at = (each: Element) => readInstant(inspector, each)
  const name = inspector.required(element, 'name', fields.name, (each) =>
    inspector.text(each, MAX_FREEZE_NAME)
  )
  const startAt = inspector.required(element, 'startAt', fields.startAt, at)
  const endAt = inspector.required(element, 'endAt', fields.endAt, at)
  const phases = inspector.required(element, 'phases', fields.phases, (each) =>
    readPhases(inspector, each)
  )
  if (startAt !== undefined && endAt !== undefined && endAt <= startAt) {
    inspector.problems.add(fields.endAt ?? element, 'wrong_order', 'endAt must come after startAt')
  }
  if (!name || !startAt || !endAt || !phases) return undefined
  return { name, startAt, endAt, phases }
}

function readPhases(inspector: Inspector, element: Element) {
  const items = inspector.items(element, 'phases', PHASES.length)
  const phases = items.flatMap((item) => inspector.choice(item, PHASES) ?? [])
  if (element.node.kind === 'list' && items.length === 0 && element.node.items.length === 0) {
    inspector.problems.add(element, 'required', `phases must name one of ${PHASES.join(', ')}`)
  }
  if (new Set(phases).size < phases.length) {
    inspector.problems.add(element, 'duplicate', 'A phase is listed twice')
  }
  return phases.length > 0 ? phases : undefined
}

function readInstant(inspector: Inspector, element: Element): string | undefined {
  const text = inspector.text(element, 40)
  const instant = text === undefined ? null : parseInstant(text)
  if (instant !== null || text === undefined) return instant ?? undefined
  const message = 'Has to be a date and time with its offset, like 2026-12-21T00:00:00Z'
  inspector.problems.add(element, 'invalid_date', message)
  return undefined
}

/**
 * Checks `x-automations`: automations on target dates, and those that follow events. Unnamed ones
 * get their defaults.
 */
export function checkAutomations(
  inspector: Inspector,
  element: Element,
  store: StoreKind | undefined
): AutomationsConfiguration | undefined {
  const fields = inspector.fields(element, AUTOMATIONS)
  if (!fields) return undefined
  const automations: AutomationsConfiguration = {}
  for (const type of SCHEDULED_AUTOMATIONS) {
    const set = inspector.optional(fields[type], (each) => readAutomation(inspector, each))
    if (set) automations[PHASE_OF[type]] = set
  }
  for (const phase of PHASES) {
    const fault = store === undefined ? null : automationFault(automations, phase, store)
    if (fault === null) continue
    const at = fields[AUTOMATION_OF[phase]] ?? element
    if (fault === 'inactive') {
      inspector.problems.add(at, 'not_allowed', NOTHING_TO_DO)
    } else {
      const message = `${AUTOMATION_OF[fault]} has to be enabled too`
      inspector.problems.add(at, 'conflict', message)
    }
  }
  for (const type of FOLLOW_UPS) {
    const set = inspector.optional(fields[type], (each) => readFollowUp(inspector, each, type))
    if (!set) continue
    automations[type] = set
    if (!set.enabled || store === undefined || FOLLOW_UP_OF[type].stores.includes(store)) continue
    inspector.problems.add(fields[type] ?? element, 'not_allowed', NOTHING_TO_DO)
  }
  return nonDefault(automations)
}

const NOTHING_TO_DO = 'It does not apply to this platform'

function readFollowUp(inspector: Inspector, element: Element, type: FollowUp) {
  const fields = inspector.fields(element, ['enabled'])
  if (!fields) return undefined
  const input = inspector.optional(fields.enabled, (each) => inspector.flag(each))
  return { enabled: input ?? isOnByDefault(type) }
}

function readAutomation(inspector: Inspector, element: Element) {
  const fields = inspector.fields(element, ['enabled', 'runAfterFreeze'])
  if (!fields) return undefined
  const flag = (each: Element) => inspector.flag(each)
  return {
    enabled: inspector.optional(fields.enabled, flag) ?? false,
    runAfterFreeze: inspector.optional(fields.runAfterFreeze, flag) ?? true,
  }
}

/** Checks `x-notifications`: the notifications that differ from the default, by type. */
export function checkNotifications(
  inspector: Inspector,
  element: Element
): NotificationsConfiguration | undefined {
  const fields = inspector.fields(element, NOTIFICATION_TYPES)
  if (!fields) return undefined
  const notifications: NotificationsConfiguration = {}
  for (const type of NOTIFICATION_TYPES) {
    const isReminder = remindedPhase(type) !== null
    const read = (each: Element) => readNotification(inspector, each, isReminder)
    const set = inspector.optional(fields[type], read)
    if (set) notifications[type] = set
  }
  return withoutDefaults(notifications)
}

const KEYS = ['enabled', 'channelOverride'] as const
const REMINDER_KEYS = [...KEYS, 'leadTimeMinutes'] as const

function readNotification(
  inspector: Inspector,
  element: Element,
  isReminder: boolean
): ConfiguredNotification | undefined {
  const fields = inspector.fields<(typeof REMINDER_KEYS)[number]>(
    element,
    isReminder ? REMINDER_KEYS : KEYS
  )
  if (!fields) return undefined
  const channel = (each: Element) => inspector.text(each, MAX_CHANNEL)
  const minutes = (each: Element) => inspector.integer(each, 0, MAX_LEAD_MINUTES)
  return {
    enabled: inspector.optional(fields.enabled, (each) => inspector.flag(each)) ?? undefined,
    channelOverride: inspector.optional(fields.channelOverride, channel) ?? undefined,
    leadTimeMinutes: inspector.optional(fields.leadTimeMinutes, minutes) ?? undefined,
  }
}
