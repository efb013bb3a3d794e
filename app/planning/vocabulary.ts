import { PHASES, type Phase } from './calendar/freezes.js'
import type { StoreKind } from '#apps/vocabulary'

/** Automations that act on a target date. */
export const SCHEDULED_AUTOMATIONS = [
  'kickoffOnTargetDate',
  'submitOnTargetDate',
  'releaseOnTargetDate',
] as const
export type ScheduledAutomation = (typeof SCHEDULED_AUTOMATIONS)[number]

export const PHASE_OF: Record<ScheduledAutomation, Phase> = {
  kickoffOnTargetDate: 'kickoff',
  submitOnTargetDate: 'submit',
  releaseOnTargetDate: 'release',
}
export const AUTOMATION_OF: Record<Phase, ScheduledAutomation> = {
  kickoff: 'kickoffOnTargetDate',
  submit: 'submitOnTargetDate',
  release: 'releaseOnTargetDate',
}
export const AUTOMATION_NAMES: Record<Phase, string> = {
  kickoff: 'Kick off on the target date',
  submit: 'Submit on the target date',
  release: 'Release on the target date',
}

/** Automation status: `inactive` is one that cannot act, whatever is switched on. */
export const AUTOMATION_STATUSES = ['enabled', 'disabled', 'paused', 'inactive'] as const
export type AutomationStatus = (typeof AUTOMATION_STATUSES)[number]

/** What a run of an automation came to. */
export const RUN_RESULTS = ['succeeded', 'failed', 'skipped'] as const
export type RunResult = (typeof RUN_RESULTS)[number]

/** Reminders of target dates, by what they remind of. */
export const REMINDER_OF = {
  kickoff: 'release.kickoffReminder',
  submit: 'release.submitReminder',
  release: 'release.releaseReminder',
} as const satisfies Record<Phase, string>
export const REMINDERS = PHASES.map((phase) => REMINDER_OF[phase])
export type Reminder = (typeof REMINDERS)[number]

/** Where each reminder is sent at all, as the specification lists them. */
export const REMINDED_STORES: Record<Phase, readonly StoreKind[]> = {
  kickoff: ['apple', 'google', 'ota'],
  submit: ['apple', 'google'],
  release: ['apple'],
}

/** Minutes before a target date that it is reminded of, unless an app says otherwise. */
export const DEFAULT_LEAD_MINUTES = 24 * 60
export const MAX_LEAD_MINUTES = 30 * 24 * 60

/** `HH:mm` */
export const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/

export const MAX_FREEZES = 200
export const MAX_EXCEPTIONS = 200
export const MAX_ABSENCES = 500
export const MAX_INTERVAL_WEEKS = 52
export const MAX_DRAFT_WEEKS = 26
/** Most days from the begin of a train to a target date. */
export const MAX_DAY_OFFSET = 365
/** How far ahead trains that are not drafted yet are shown, in years. */
export const MAX_SCHEDULE_YEARS = 3

/** Where an automation has something to do: Google releases what it approves by itself. */
export const AUTOMATED_STORES: Record<Phase, readonly StoreKind[]> = {
  kickoff: ['apple', 'google', 'ota'],
  submit: ['apple', 'google'],
  release: ['apple', 'ota'],
}

/**
 * The automation that has to be on before another can be: a train that a later date moves by
 * itself must not wait for a person at an earlier one.
 */
export function dependencyOf(phase: Phase, store: StoreKind): Phase | null {
  const before = PHASES.slice(0, PHASES.indexOf(phase))
  return before.findLast((each) => AUTOMATED_STORES[each].includes(store)) ?? null
}
