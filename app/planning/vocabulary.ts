import { PHASES, type Phase } from './calendar/freezes.js'
import type { StoreKind } from '#apps/vocabulary'
import { CREATE_EDIT_RELEASE_TYPES, type CreateEditReleaseType } from '#releases/vocabulary'

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

/** The events that automations act on. */
export type Occasion = 'kickoff' | 'kickedOff' | 'newBuild' | 'submitted' | 'released'

/** The requirements of an automation on an app. */
export type Need =
  | 'versionControl'
  | 'workingBranch'
  | 'versionFiles'
  | 'chat'
  | 'issueTracking'
  | 'featureAffiliations'
  | 'store'

interface FollowUpRule {
  name: string
  after: Occasion
  /**
   * The thing it changes. Automations of one occasion that change the same thing run one after the
   * other.
   */
  on: 'code' | 'chat' | 'tickets' | 'build'
  kinds: readonly CreateEditReleaseType[]
  stores: readonly StoreKind[]
  needs: readonly Need[]
  /** It runs whenever there is something to do after its occasion, and not just once. */
  repeats?: boolean
  /** It is on unless an app says otherwise. */
  isOnByDefault?: boolean
}

const EVERYWHERE: readonly StoreKind[] = ['apple', 'google', 'ota']
const EVERY_KIND = CREATE_EDIT_RELEASE_TYPES
const BUMP = {
  on: 'code',
  // Not for hotfixes: each has its own setting for the bump, and its base is behind the train.
  kinds: ['release'],
  stores: EVERYWHERE,
  needs: ['versionControl', 'workingBranch', 'versionFiles'],
} as const
const CODE = { on: 'code', kinds: ['release', 'hotfix'], stores: EVERYWHERE } as const

/**
 * Automations that act before or after something happens; those of one occasion act in this order.
 * A rollback ships an existing build, so nothing changes its code.
 */
const FOLLOW_UP_RULES = {
  bumpVersionBeforeKickoff: {
    ...BUMP,
    name: 'Bump the version before kickoff',
    after: 'kickoff',
    needs: ['versionControl', 'versionFiles'],
  },
  createChatChannel: {
    name: 'Create a chat channel for the release',
    after: 'kickedOff',
    on: 'chat',
    kinds: EVERY_KIND,
    stores: EVERYWHERE,
    needs: ['chat'],
  },
  addLabelsAndFixVersions: {
    name: 'Add missing labels and fix versions',
    after: 'kickedOff',
    on: 'tickets',
    kinds: ['release', 'hotfix'],
    stores: EVERYWHERE,
    needs: ['versionControl', 'issueTracking', 'featureAffiliations'],
    repeats: true,
  },
  bumpVersionAfterKickoff: {
    ...BUMP,
    name: 'Bump the working branch after kickoff',
    after: 'kickedOff',
  },
  selectLatestBuild: {
    name: 'Select the latest build',
    after: 'newBuild',
    on: 'build',
    kinds: EVERY_KIND,
    stores: ['apple', 'google'],
    needs: ['store'],
    isOnByDefault: true,
  },
  bumpVersionAfterSubmission: {
    ...BUMP,
    name: 'Bump the working branch after submission',
    after: 'submitted',
    stores: ['apple', 'google'],
  },
  tagOnRelease: {
    ...CODE,
    name: 'Tag on release',
    after: 'released',
    needs: ['versionControl'],
  },
  backMergeAfterRelease: {
    ...CODE,
    name: 'Merge back after release',
    after: 'released',
    needs: ['versionControl', 'workingBranch'],
  },
  bumpVersionAfterRelease: {
    ...BUMP,
    name: 'Bump the working branch after release',
    after: 'released',
  },
} as const satisfies Record<string, FollowUpRule>
export type FollowUp = keyof typeof FOLLOW_UP_RULES
export const FOLLOW_UP_OF: Readonly<Record<FollowUp, FollowUpRule>> = FOLLOW_UP_RULES
export const FOLLOW_UPS = Object.keys(FOLLOW_UP_RULES) as FollowUp[]

/** Returns whether it is on by default. */
export const isOnByDefault = (type: FollowUp): boolean => FOLLOW_UP_OF[type].isOnByDefault ?? false

/**
 * Follow-ups that other code carries out at their occasion: the kickoff bumps, stores choose
 * builds.
 */
const IN_PASSING = ['bumpVersionBeforeKickoff', 'selectLatestBuild'] as const
type InPassing = (typeof IN_PASSING)[number]
export const isInPassing = (type: FollowUp): type is InPassing =>
  IN_PASSING.some((each) => each === type)

/** Follow-ups that planning starts by a timer of their own after their occasion. */
export type TimedFollowUp = Exclude<FollowUp, InPassing>
export const TIMED_FOLLOW_UPS = FOLLOW_UPS.filter(
  (type): type is TimedFollowUp => !isInPassing(type)
)

export const isFollowUp = (type: Automation): type is FollowUp => type in FOLLOW_UP_RULES

/** All automations that can be switched on and off. */
export const AUTOMATIONS = [...SCHEDULED_AUTOMATIONS, ...FOLLOW_UPS] as const
export type Automation = (typeof AUTOMATIONS)[number]

/** Returns the name of an automation, for people. */
export const nameOf = (type: Automation): string =>
  isFollowUp(type) ? FOLLOW_UP_OF[type].name : AUTOMATION_NAMES[PHASE_OF[type]]

/** Automation status: `inactive` is one that cannot act, whatever is switched on. */
export const AUTOMATION_STATUSES = ['enabled', 'disabled', 'paused', 'inactive'] as const
export type AutomationStatus = (typeof AUTOMATION_STATUSES)[number]

/** The results of a run of an automation. */
export const RUN_RESULTS = ['succeeded', 'failed', 'skipped'] as const
export type RunResult = (typeof RUN_RESULTS)[number]

/** Reminders of target dates, by phase. */
export const REMINDER_OF = {
  kickoff: 'release.kickoffReminder',
  submit: 'release.submitReminder',
  release: 'release.releaseReminder',
} as const satisfies Record<Phase, string>
export const REMINDERS = PHASES.map((phase) => REMINDER_OF[phase])
export type Reminder = (typeof REMINDERS)[number]

/** The stores for which each reminder is sent, by the specification. */
export const REMINDED_STORES: Record<Phase, readonly StoreKind[]> = {
  kickoff: ['apple', 'google', 'ota'],
  submit: ['apple', 'google'],
  release: ['apple'],
}

/** Default minutes before a target date at which a reminder is sent. */
export const DEFAULT_LEAD_MINUTES = 24 * 60
export const MAX_LEAD_MINUTES = 30 * 24 * 60

/** `HH:mm` */
export const LOCAL_TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]$/

export const MAX_FREEZES = 200
export const MAX_EXCEPTIONS = 200
export const MAX_ABSENCES = 500
export const MAX_INTERVAL_WEEKS = 52
export const MAX_DRAFT_WEEKS = 26

/** Most drafts at a time: even an often edited weekly cadence has fewer. */
export const MAX_DRAFTS = 500
/** Most days from the day on which a train begins to a target date. */
export const MAX_DAY_OFFSET = 365
/** Maximum years ahead for which undrafted trains are shown. */
export const MAX_SCHEDULE_YEARS = 3

/** The stores for which an automation has work: Google releases approved versions by itself. */
export const AUTOMATED_STORES: Record<Phase, readonly StoreKind[]> = {
  kickoff: ['apple', 'google', 'ota'],
  submit: ['apple', 'google'],
  release: ['apple', 'ota'],
}

/**
 * Returns the phase that must be automated before another can be: a train that moves by itself at a
 * later date must not wait for a person at an earlier one.
 */
export function dependencyOf(phase: Phase, store: StoreKind): Phase | null {
  const before = PHASES.slice(0, PHASES.indexOf(phase))
  return before.findLast((each) => AUTOMATED_STORES[each].includes(store)) ?? null
}
