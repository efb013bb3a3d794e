import type { Instant } from '#foundation/core/clock'
import { instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Cadence } from './calendar/cadence.js'
import type { Freeze, Phase } from './calendar/freezes.js'
import type { LocalDate } from './calendar/local_time.js'
import type { FollowUp, RunResult } from './vocabulary.js'

export interface NamedFreeze extends Freeze {
  name: string
  createdAt: Instant
}

/** The settings of an app's automation, and its last run. */
export interface AutomationState {
  enabled: boolean
  /** True if a run that a freeze held back happens at its end. */
  runAfterFreeze: boolean
  lastRunAt: Instant | null
  lastResult: RunResult | null
}

/** The settings of a follow-up automation, and its last run. */
export interface FollowUpState {
  enabled: boolean
  /** Since when; what happened before is not made up for. */
  enabledAt: Instant | null
  lastRunAt: Instant | null
  lastResult: RunResult | null
}

/** The settings of a follow-up automation in one release, and its run. */
interface OwnFollowUp {
  /** Settings of the release that differ from those of its app. */
  set?: Pick<FollowUpState, 'enabled' | 'enabledAt'>
  /** The result is null while it is under way; a transient failure is tried again at `againAt`. */
  run?: { at: Instant; result: RunResult | null; againAt?: Instant }
}

export interface Pause {
  pausedAt: Instant
  pausedBy: string
  reason: string | null
  /** The time at which it ends by itself; null for never. */
  resumeAt: Instant | null
}

export interface ReminderState {
  enabled: boolean
  leadTimeMinutes: number
}

/** A run of an automation for a target date. */
export interface Run {
  /** The target date it is for; a later date gets a run of its own. */
  target: Instant
  /** Since when it is held back; null if it was not. */
  heldSince: Instant | null
  /** Set while it waits for the train instead of the end of a freeze. */
  heldBy?: 'train'
  /** The time it acted or dropped the date; null while it is held back. */
  at: Instant | null
  result: RunResult | null
  /** Set while a worker carries it out and the outcome is unknown. */
  isUnderWay?: boolean
}

/** A reminder that was sent. */
interface Reminded {
  target: Instant
  leadTimeMinutes: number
}

/** A timer of a release: an automation, or a reminder of the same phase. */
export type TimerName = Phase | `${Phase}Reminder`

/** The plans of apps; a row exists once something was set. */
export const appPlans = table('app_plans', {
  appId: text(),
  organizationId: text(),
  cadence: optional(json<Cadence>()),
  undecidedFrom: optional(text<LocalDate>()),
  freezes: json<NamedFreeze[]>(),
  automations: json<Partial<Record<Phase, AutomationState>>>(),
  pause: optional(json<Pause>()),
  reminders: json<Partial<Record<Phase, ReminderState>>>(),
  /** The app whose cadence this one follows; null for a cadence of its own. */
  followsAppId: optional(text()),
  followUps: json<Partial<Record<FollowUp, FollowUpState>>>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The chat channel that was made for a release. */
interface ReleaseChannel {
  /** Integration of the chat. */
  integrationId: string
  id: string
  name: string
}

/** The plans of releases; a row exists once something is planned. */
export const releasePlans = table('release_plans', {
  releaseId: text(),
  organizationId: text(),
  appId: text(),
  slot: optional(text<LocalDate>()),
  /** Settings of the release that differ from those of its app. */
  automations: json<Partial<Record<Phase, { enabled: boolean }>>>(),
  pause: optional(json<Pause>()),
  runs: json<Partial<Record<Phase, Run>>>(),
  reminded: json<Partial<Record<Phase, Reminded>>>(),
  planned: json<Partial<Record<TimerName, Instant>>>(),
  followUps: json<Partial<Record<FollowUp, OwnFollowUp>>>(),
  channel: optional(json<ReleaseChannel>()),
})

/** Calendars by address; without an app they show every app, without a user all releases. */
export const calendarFeeds = table('calendar_feeds', {
  id: text(),
  organizationId: text(),
  appId: optional(text()),
  userId: optional(text()),
  tokenHash: text(),
  createdBy: text(),
  createdAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    app_plans: typeof appPlans
    release_plans: typeof releasePlans
    calendar_feeds: typeof calendarFeeds
  }
}
