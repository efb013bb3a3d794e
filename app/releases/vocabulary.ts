import { enumeration } from '#foundation/core/enumerations'
import type { UserAction } from '#organizations/vocabulary'

/** `CreateEditReleaseType`, the kind in requests. `release` becomes major, minor or point. */
export const CREATE_EDIT_RELEASE_TYPES = enumeration(
  'CreateEditReleaseType',
  ['release', 'hotfix', 'rollback'],
  'Type of release in requests; `release` becomes major, minor or point by its version.'
)
export type CreateEditReleaseType = (typeof CREATE_EDIT_RELEASE_TYPES)[number]

/** The user action that is needed to draft a release of a kind, or to change one to it. */
export const ACTION_TO_CREATE = {
  release: 'CreateDeleteRelease',
  hotfix: 'CreateHotfix',
  rollback: 'CreateHotfix',
} as const satisfies Record<CreateEditReleaseType, UserAction>

/** `ReleaseStatus`. */
export const RELEASE_STATUSES = enumeration(
  'ReleaseStatus',
  ['upcoming', 'active', 'completed', 'skipped'],
  'Status of a release: planned, in progress, finished or abandoned.'
)
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number]

/** `ReleaseTimelinePhase`, in order. `rejected` and `skipped` are outside of that order. */
export const RELEASE_PHASES = enumeration(
  'ReleaseTimelinePhase',
  [
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
  ],
  'Phase of a release, in this order; `rejected` and `skipped` are outside the order.'
)
export type ReleaseTimelinePhase = (typeof RELEASE_PHASES)[number]

/** `ReleaseStepStatus`. */
export const RELEASE_STEP_STATUSES = enumeration(
  'ReleaseStepStatus',
  ['notStarted', 'inProgress', 'blocked', 'complete'],
  'Status of a step; derived from recorded facts, never set.'
)
export type ReleaseStepStatus = (typeof RELEASE_STEP_STATUSES)[number]

/** `ReleaseRegressionTestingStatus`; any value may follow any other. */
export const REGRESSION_STATUSES = enumeration(
  'ReleaseRegressionTestingStatus',
  ['notStarted', 'inProgress', 'blocked', 'failed', 'passed'],
  'Regression testing status; any value may follow any other.'
)
export type ReleaseRegressionTestingStatus = (typeof REGRESSION_STATUSES)[number]

/** `RegressionTestingStatusType`: the statuses of tests of a run. */
export const TEST_RUN_STATUSES = enumeration(
  'RegressionTestingStatusType',
  ['untested', 'inProgress', 'passed', 'failed', 'blocked', 'retest', 'skipped'],
  'Status of the tests in a run, as in test management systems.'
)

/** The three kinds of item a release step may hold. */
export const ITEM_KINDS = ['checklist', 'approval', 'regression'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** The user action that is needed to set an item's status, or to comment on it. */
export const ITEM_ACTION = {
  checklist: 'UpdateChecklistItemStatus',
  approval: 'UpdateApprovalItemStatus',
  regression: 'UpdateRegressionTesting',
} as const satisfies Record<ItemKind, string>

/** `ChecklistItemStatusType`: one enumeration for all kinds, of which each allows a part. */
export const ITEM_STATUSES = enumeration(
  'ChecklistItemStatusType',
  [
    'notStarted',
    'inProgress',
    'complete',
    'approved',
    'rejected',
    'passed',
    'failed',
    'blocked',
    'notApplicable',
  ],
  'Status of an item. Checklist: notStarted, inProgress, complete, blocked, notApplicable. Approval: notStarted, inProgress, approved, rejected, blocked. Regression: notStarted, inProgress, passed, failed, blocked, notApplicable.'
)
export type ItemStatus = (typeof ITEM_STATUSES)[number]

/** The kinds of owners of an item. */
export const ITEM_OWNER_TYPES = ['user', 'group', 'releasePilot'] as const
export type ItemOwnerType = (typeof ITEM_OWNER_TYPES)[number]

/** Timeline types that are not webhook events. */
export const TIMELINE_ONLY_TYPES = [
  'release.updated',
  'release.deleted',
  'release.skipped',
  'release.unskipped',
  'release.linkMade',
  'release.linkRevoked',
  'release.branchWanted',
  'release.branchMade',
  'release.branchFailed',
  'release.versionBumped',
  'release.bumpFailed',
  'release.commitPicked',
  'fix.cherryPickFailed',
  'fix.cherryPickDismissed',
  'fix.backMerged',
  'fix.backMergeFailed',
  'fix.approvalsFell',
  'fix.mergeKnown',
  'fix.pullRequestClosed',
  'fix.codeLost',
  'release.branchRenamed',
  'release.branchMissing',
  'release.tagged',
  'release.tagFailed',
  'release.notesPublished',
  'release.notesPublishFailed',
  'release.backMerged',
  'release.backMergeFailed',
  'release.backMergeAsked',
  'build.triggered',
  'build.triggerFailed',
  'build.selected',
  'build.testersWanted',
  'build.givenToTesters',
  'build.testersFailed',
  'store.asked',
  'store.failed',
  'store.adopted',
  'store.reviewRestarted',
  'store.question',
  'pair.joined',
  'pair.parted',
  'pair.takenOff',
  'pair.ended',
  'pair.apart',
  'redButton.pressed',
  'rollout.judged',
  'rollout.ladderChanged',
  'rollout.held',
  'rollout.stopped',
  'metadata.updated',
  'notes.generated',
  'featureFlag.switched',
  'featureFlag.switchUnknown',
  'featureFlag.changed',
  'step.approved',
  'step.approvalWithdrawn',
  'step.approvalFell',
  'approval.given',
  'approval.withdrawn',
  'approval.brokenGlass',
  'step.regressionStatusSet',
  'step.commented',
  'step.verdictStands',
  'checklistItem.added',
  'checklistItem.updated',
  'checklistItem.removed',
  'checklistItem.commented',
  'featureReadiness.itemsIgnored',
  'featureReadiness.itemsRestored',
  'issueTracking.versionReleased',
  'issueTracking.versionReleaseFailed',
  'app.configurationChanged',
  'automation.ran',
  'automation.failed',
] as const
export type TimelineOnlyType = (typeof TIMELINE_ONLY_TYPES)[number]

/** The state of a release in a store; `asked` means that a call to the store is pending. */
export const IN_STORE_STATES = [
  'asked',
  'inReview',
  'approved',
  'active',
  'paused',
  'halted',
  'completed',
] as const
