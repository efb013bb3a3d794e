import { enumeration } from '#foundation/core/enumerations'

/** `ReleaseType`, as releases are read and as items name the releases they apply to. */
export const RELEASE_TYPES = enumeration('ReleaseType', [
  'major',
  'minor',
  'point',
  'hotfix',
  'rollback',
])
export type ReleaseType = (typeof RELEASE_TYPES)[number]

/** `CreateEditReleaseType`, as requests name it; `release` becomes major, minor or point. */
export const CREATE_EDIT_RELEASE_TYPES = enumeration('CreateEditReleaseType', [
  'release',
  'hotfix',
  'rollback',
])
export type CreateEditReleaseType = (typeof CREATE_EDIT_RELEASE_TYPES)[number]

/** Keys of `releaseTypes` in the configuration file; `standard` covers major, minor, point. */
export const WORKFLOW_RELEASE_TYPES = ['standard', 'hotfix', 'rollback'] as const
export type WorkflowReleaseType = (typeof WORKFLOW_RELEASE_TYPES)[number]

/** `appSettings.defaultReleaseType`: any but hotfix; `standard` means derived. */
export const DEFAULT_RELEASE_TYPES = ['standard', 'major', 'minor', 'point', 'rollback'] as const
export type DefaultReleaseType = (typeof DEFAULT_RELEASE_TYPES)[number]

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

/** `ReleaseStepType`, the archetypes of a workflow's steps. */
export const RELEASE_STEP_TYPES = enumeration('ReleaseStepType', [
  'kickoff',
  'featureReadiness',
  'translations',
  'rollbackBuild',
  'releaseCandidate',
  'regressionTesting',
  'betaTesting',
  'screenshots',
  'metadata',
  'approvals',
  'submission',
  'storeReview',
  'takeoff',
  'rollout',
])
export type ReleaseStepType = (typeof RELEASE_STEP_TYPES)[number]

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
