import { enumeration } from '#foundation/core/enumerations'

/** `CreateEditReleaseType`, as requests name it; `release` becomes major, minor or point. */
export const CREATE_EDIT_RELEASE_TYPES = enumeration('CreateEditReleaseType', [
  'release',
  'hotfix',
  'rollback',
])
export type CreateEditReleaseType = (typeof CREATE_EDIT_RELEASE_TYPES)[number]

/** `ReleaseStatus`. */
export const RELEASE_STATUSES = enumeration('ReleaseStatus', [
  'upcoming',
  'active',
  'completed',
  'skipped',
])
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number]

/** `ReleaseTimelinePhase`, in order; `rejected` and `skipped` are side ends. */
export const RELEASE_PHASES = enumeration('ReleaseTimelinePhase', [
  'upcoming',
  'kickedOff',
  'readyToSubmit',
  'submitted',
  'inReview',
  'readyToRelease',
  'rollingOut',
  'released',
  'rejected',
  'skipped',
])
export type ReleaseTimelinePhase = (typeof RELEASE_PHASES)[number]

/** `ReleaseStepStatus`. */
export const RELEASE_STEP_STATUSES = enumeration('ReleaseStepStatus', [
  'notStarted',
  'inProgress',
  'blocked',
  'complete',
])
export type ReleaseStepStatus = (typeof RELEASE_STEP_STATUSES)[number]

/** `ReleaseRegressionTestingStatus`; any value may follow any other. */
export const REGRESSION_STATUSES = enumeration('ReleaseRegressionTestingStatus', [
  'notStarted',
  'inProgress',
  'blocked',
  'failed',
  'passed',
])
export type ReleaseRegressionTestingStatus = (typeof REGRESSION_STATUSES)[number]

/** `RegressionTestingStatusType`: what the tests of a run came to. */
export const TEST_RUN_STATUSES = enumeration('RegressionTestingStatusType', [
  'untested',
  'inProgress',
  'passed',
  'failed',
  'blocked',
  'retest',
  'skipped',
])

/** The three kinds of item a release step may hold. */
export const ITEM_KINDS = ['checklist', 'approval', 'regression'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** `ChecklistItemStatusType`: one enumeration for all kinds, with a legal part for each. */
export const ITEM_STATUSES = enumeration('ChecklistItemStatusType', [
  'notStarted',
  'inProgress',
  'complete',
  'approved',
  'rejected',
  'passed',
  'failed',
  'blocked',
  'notApplicable',
])
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** Who can own an item. */
export const ITEM_OWNER_TYPES = ['user', 'group', 'releasePilot'] as const
export type ItemOwnerType = (typeof ITEM_OWNER_TYPES)[number]

/** What the timeline of a release tells beside webhook events. */
export const TIMELINE_ONLY_TYPES = [
  'release.updated',
  'release.deleted',
  'release.skipped',
  'release.unskipped',
  'metadata.updated',
  'step.approved',
  'step.approvalWithdrawn',
  'step.approvalFell',
  'approval.given',
  'approval.withdrawn',
  'approval.brokenGlass',
] as const
export type TimelineOnlyType = (typeof TIMELINE_ONLY_TYPES)[number]
