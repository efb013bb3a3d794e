import type { IconName } from '../frame/icon_names.js'

/** The presentation of a status: a word, an icon, and a colour that adds no meaning. */
export interface StatusWords {
  word: string
  icon: IconName
  /** A class of the style sheet. */
  colour: 'green' | 'blue' | 'red' | 'amber' | 'hint'
}

const words = (word: string, icon: IconName, colour: StatusWords['colour']): StatusWords => ({
  word,
  icon,
  colour,
})

export const STEP_STATUSES: Readonly<Record<string, StatusWords>> = {
  notStarted: words('Not started', 'circle-dashed', 'hint'),
  inProgress: words('In progress', 'loader', 'blue'),
  blocked: words('Blocked', 'octagon-alert', 'red'),
  complete: words('Complete', 'circle-check', 'green'),
}

/** Statuses of a release, by its phase. */
export const PHASES: Readonly<Record<string, StatusWords>> = {
  upcoming: words('Upcoming', 'clock', 'hint'),
  kickedOff: words('Kicked off', 'loader', 'blue'),
  readyToSubmit: words('Ready to submit', 'hand', 'amber'),
  submitted: words('Submitted', 'hourglass', 'hint'),
  inReview: words('In review', 'hourglass', 'hint'),
  readyToRelease: words('Ready to release', 'hand', 'amber'),
  rollingOut: words('Rolling out', 'trending-up', 'blue'),
  released: words('Released', 'circle-check', 'green'),
  rejected: words('Rejected', 'circle-x', 'red'),
  skipped: words('Skipped', 'skip-forward', 'hint'),
}

export const ITEM_STATUSES: Readonly<Record<string, StatusWords>> = {
  notStarted: words('Not started', 'circle-dashed', 'hint'),
  inProgress: words('In progress', 'loader', 'blue'),
  pending: words('Waiting', 'circle-dashed', 'hint'),
  passed: words('Passed', 'circle-check', 'green'),
  approved: words('Approved', 'circle-check', 'green'),
  complete: words('Done', 'circle-check', 'green'),
  failed: words('Failed', 'circle-x', 'red'),
  rejected: words('Rejected', 'circle-x', 'red'),
  blocked: words('Blocked', 'octagon-alert', 'red'),
  notApplicable: words('Does not apply', 'circle-minus', 'hint'),
}

export const ROLLOUT_STATES: Readonly<Record<string, StatusWords>> = {
  notStarted: words('Not started', 'circle-dashed', 'hint'),
  active: words('Rolling out', 'trending-up', 'blue'),
  paused: words('Paused', 'pause', 'amber'),
  halted: words('Halted', 'octagon-x', 'red'),
  completed: words('With all users', 'circle-check', 'green'),
  replaced: words('Replaced', 'skip-forward', 'hint'),
}

export const HEALTH_VERDICTS: Readonly<Record<string, StatusWords>> = {
  healthy: words('Healthy', 'heart-pulse', 'green'),
  unhealthy: words('Unhealthy', 'heart-crack', 'red'),
  notEnoughData: words('Not enough data', 'hourglass', 'hint'),
}

export const BUILD_STATUSES: Readonly<Record<string, StatusWords>> = {
  pending: words('Waiting', 'hourglass', 'hint'),
  running: words('Running', 'loader', 'blue'),
  success: words('Built', 'circle-check', 'green'),
  failed: words('Failed', 'circle-x', 'red'),
  canceled: words('Canceled', 'circle-slash', 'hint'),
  skipped: words('Skipped', 'circle-slash', 'hint'),
}

/** Verdicts of regression testing. */
export const REGRESSION_STATUSES: Readonly<Record<string, StatusWords>> = {
  notStarted: words('Not started', 'circle-dashed', 'hint'),
  inProgress: words('In progress', 'loader', 'blue'),
  blocked: words('Blocked', 'octagon-alert', 'red'),
  failed: words('Failed', 'circle-x', 'red'),
  passed: words('Passed', 'circle-check', 'green'),
}

/** Results of the tests of a run, as test management systems name them. */
export const TEST_STATUSES: Readonly<Record<string, StatusWords>> = {
  untested: words('Untested', 'circle-dashed', 'hint'),
  inProgress: words('In progress', 'loader', 'blue'),
  passed: words('Passed', 'circle-check', 'green'),
  failed: words('Failed', 'circle-x', 'red'),
  blocked: words('Blocked', 'octagon-alert', 'red'),
  retest: words('To be tested again', 'rotate-ccw', 'amber'),
  skipped: words('Skipped', 'circle-slash', 'hint'),
}

export const FIX_STATUSES: Readonly<Record<string, StatusWords>> = {
  pending: words('Waiting', 'hourglass', 'hint'),
  approved: words('Approved', 'circle-check', 'green'),
  rejected: words('Rejected', 'circle-x', 'hint'),
  merged: words('Merged', 'git-merge', 'green'),
  failed: words('Failed', 'circle-x', 'red'),
}

export const ISSUE_STATUSES: Readonly<Record<string, StatusWords>> = {
  open: words('Open', 'bug', 'amber'),
  fixRequested: words('A fix is requested', 'git-merge', 'blue'),
  resolved: words('Resolved', 'circle-check', 'green'),
  ignored: words('Ignored', 'circle-minus', 'hint'),
}

/** States of a build in a store. */
export const STORE_BUILD_STATES: Readonly<Record<string, StatusWords>> = {
  PROCESSING: words('Processing', 'hourglass', 'hint'),
  VALID: words('Ready', 'package', 'green'),
  INVALID: words('Invalid', 'circle-x', 'red'),
  FAILED: words('Failed', 'circle-x', 'red'),
}

/** States of a person's request to a store. */
export const STORE_REQUEST_STATES: Readonly<Record<string, StatusWords>> = {
  pending: words('The store is being asked', 'hourglass', 'hint'),
  sent: words('With testers', 'circle-check', 'green'),
  refused: words('Refused', 'circle-x', 'red'),
}

/** Readiness of a feature: ready, ignored, or the reason why it is not ready. */
export const FEATURE_READINESS: Readonly<Record<string, StatusWords>> = {
  ready: words('Ready', 'circle-check', 'green'),
  missingCode: words('No code yet', 'circle-dashed', 'amber'),
  notMerged: words('Not merged', 'git-branch', 'amber'),
  ticketNotDone: words('The ticket is not done', 'loader', 'amber'),
  missingAffiliation: words('The ticket names another release', 'circle-alert', 'amber'),
  ignored: words('Ignored', 'circle-minus', 'hint'),
}

export const PULL_REQUEST_STATUSES: Readonly<Record<string, StatusWords>> = {
  draft: words('Draft', 'git-branch', 'hint'),
  open: words('Open', 'git-branch', 'blue'),
  merged: words('Merged', 'git-merge', 'green'),
  closed: words('Closed', 'circle-slash', 'hint'),
}

/** Returns the presentation of a status; an unknown status is shown as it is. */
export const statusLabel = (
  table: Readonly<Record<string, StatusWords>>,
  status: string
): StatusWords => table[status] ?? words(status, 'circle-dashed', 'hint')
