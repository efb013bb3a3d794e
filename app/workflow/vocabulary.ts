import { enumeration } from '#foundation/core/enumerations'

/** `ReleaseType`: the type of a release, and the types of release that an item applies to. */
export const RELEASE_TYPES = enumeration(
  'ReleaseType',
  ['major', 'minor', 'point', 'hotfix', 'rollback'],
  'Type of a release: major, minor or point by its version, or hotfix or rollback.'
)
export type ReleaseType = (typeof RELEASE_TYPES)[number]

/** Keys of `releaseTypes` in the configuration file; `standard` covers major, minor, point. */
export const WORKFLOW_RELEASE_TYPES = ['standard', 'hotfix', 'rollback'] as const
export type WorkflowReleaseType = (typeof WORKFLOW_RELEASE_TYPES)[number]

/** The key in `releaseTypes` for each type of release. `standard` releases are on the train. */
export const WORKFLOW_TYPE_OF: Record<ReleaseType, WorkflowReleaseType> = {
  major: 'standard',
  minor: 'standard',
  point: 'standard',
  hotfix: 'hotfix',
  rollback: 'rollback',
}

/** `appSettings.defaultReleaseType`: any type but hotfix. `standard` derives it from the version. */
export const DEFAULT_RELEASE_TYPES = ['standard', 'major', 'minor', 'point', 'rollback'] as const
export type DefaultReleaseType = (typeof DEFAULT_RELEASE_TYPES)[number]

/** `ReleaseStepType`, the archetypes of a workflow's steps. */
export const RELEASE_STEP_TYPES = enumeration(
  'ReleaseStepType',
  [
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
  ],
  'Type of a step, which determines how its status is derived (`archetype` in the configuration file).'
)
export type ReleaseStepType = (typeof RELEASE_STEP_TYPES)[number]
