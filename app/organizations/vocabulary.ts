import { enumeration } from '#foundation/core/enumerations'

/** All user actions. Each group has a selection of them. */
export const userActions = enumeration(
  'UserAction',
  [
    'AddRemoveEditIntegration',
    'UpdateAppSettings',
    'EditAutomations',
    'CreateDeleteRelease',
    'CreateHotfix',
    'UpdateScheduleCadence',
    'UpdateReleaseTargetDates',
    'CreateBranchPromoteCode',
    'BumpVersion',
    'TagCommit',
    'ApproveScreenshotsMetadata',
    'PromoteBetaBuildToTestingTrack',
    'EditRelease',
    'SelectBuild',
    'TriggerCIWorkflow',
    'SubmitForReview',
    'RejectSubmission',
    'EditChecklists',
    'UpdateChecklistItemStatus',
    'UpdateApprovalItemStatus',
    'UpdateRegressionTesting',
    'UpdateFeatureReadiness',
    'ToggleFeatureFlags',
    'RequestFixes',
    'ApproveFixes',
    'ManageTriageIssues',
    'ManageBuckets',
    'UploadBuilds',
    'ManageUsersGroups',
    'GenerateReleaseNotes',
  ],
  'What a key or person may do; groups carry sets of these.'
)

export type UserAction = (typeof userActions)[number]

/** How people of an organization stand: named, seen before, or without rights. */
export const userStatuses = enumeration(
  'UserStatus',
  ['invited', 'active', 'deactivated'],
  'Whether a person was only named so far, may do what their groups may, or has no rights any more.'
)

export type UserStatus = (typeof userStatuses)[number]

/** How API keys stand. */
export const keyStatuses = enumeration(
  'ApiKeyStatus',
  ['active', 'expired', 'revoked'],
  'Whether a key can be used, has come to its end, or was ended by somebody.'
)

export type KeyStatus = (typeof keyStatuses)[number]

const releaseWork: UserAction[] = [
  'UpdateReleaseTargetDates',
  'EditRelease',
  'EditChecklists',
  'UpdateChecklistItemStatus',
  'UpdateRegressionTesting',
  'RequestFixes',
  'ManageTriageIssues',
  'GenerateReleaseNotes',
]

const engineering: UserAction[] = [
  ...releaseWork,
  'CreateBranchPromoteCode',
  'BumpVersion',
  'TagCommit',
  'SelectBuild',
  'TriggerCIWorkflow',
  'UpdateFeatureReadiness',
  'ToggleFeatureFlags',
  'UploadBuilds',
]

/**
 * The groups every organization has. Their names and actions cannot change. The actions of each
 * group are this project's choice.
 */
export const defaultGroups: readonly { name: string; userActions: readonly UserAction[] }[] = [
  { name: 'Release Pilots', userActions: userActions.filter((a) => a !== 'ManageUsersGroups') },
  { name: 'Engineering Managers', userActions },
  { name: 'Engineers', userActions: engineering },
  {
    name: 'Product Managers',
    userActions: [
      ...releaseWork,
      'CreateDeleteRelease',
      'UpdateScheduleCadence',
      'ApproveScreenshotsMetadata',
      'UpdateFeatureReadiness',
      'ToggleFeatureFlags',
    ],
  },
  {
    name: 'QA',
    userActions: [
      'EditChecklists',
      'UpdateChecklistItemStatus',
      'UpdateRegressionTesting',
      'RequestFixes',
      'ManageTriageIssues',
      'SelectBuild',
      'UploadBuilds',
    ],
  },
  {
    name: 'Marketing',
    userActions: [
      'UpdateChecklistItemStatus',
      'ApproveScreenshotsMetadata',
      'GenerateReleaseNotes',
    ],
  },
  { name: 'Design', userActions: ['UpdateChecklistItemStatus', 'ApproveScreenshotsMetadata'] },
  {
    name: 'Approvers',
    userActions: [
      'UpdateChecklistItemStatus',
      'UpdateApprovalItemStatus',
      'ApproveScreenshotsMetadata',
      'ApproveFixes',
    ],
  },
  {
    name: 'CX',
    userActions: ['UpdateChecklistItemStatus', 'RequestFixes', 'ManageTriageIssues'],
  },
  {
    name: 'Ops',
    userActions: [
      'AddRemoveEditIntegration',
      'UpdateAppSettings',
      'EditAutomations',
      'UpdateScheduleCadence',
      'UpdateChecklistItemStatus',
      'SubmitForReview',
      'RejectSubmission',
      'ManageBuckets',
      'UploadBuilds',
    ],
  },
]

/** Name of the group whose members take turns as release pilots. */
export const PILOTS_GROUP = 'Release Pilots'

/** Returns each chosen user action once, in the order of the vocabulary. */
export function inOrder(chosen: readonly UserAction[]): UserAction[] {
  return userActions.filter((action) => chosen.includes(action))
}
