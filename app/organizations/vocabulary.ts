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
  'Permission of a key or user; groups grant sets of these.'
)

export type UserAction = (typeof userActions)[number]

/** An explanation of each user action, in a sentence for people. */
export const ACTION_EXPLANATIONS: Readonly<Record<UserAction, string>> = {
  AddRemoveEditIntegration:
    'Renews credentials of integrations, and reports events of custom ones.',
  UpdateAppSettings: 'Changes settings of apps, also by configuration files.',
  EditAutomations: 'Switches and pauses automations, and sets the rollout policy.',
  CreateDeleteRelease: 'Creates, skips, completes and deletes releases.',
  CreateHotfix: 'Creates hotfixes and rollbacks.',
  UpdateScheduleCadence: 'Sets the release cadence and freezes.',
  UpdateReleaseTargetDates: 'Changes the target dates of a release.',
  CreateBranchPromoteCode: 'Kicks releases off, and decides on branches and commits to be picked.',
  BumpVersion: 'Bumps the version in the code for a hotfix.',
  TagCommit: 'Tags commits, which only automations do so far.',
  ApproveScreenshotsMetadata: 'Approves screenshots and texts for stores.',
  PromoteBetaBuildToTestingTrack: 'Distributes builds to testers through a testing track.',
  EditRelease: 'Changes name, pilot, texts and other details of a release.',
  SelectBuild: 'Chooses the build that goes to a store.',
  TriggerCIWorkflow: 'Starts builds.',
  SubmitForReview: 'Submits to stores, releases to users, steers and stops rollouts.',
  RejectSubmission: 'Withdraws from review, and stops rollouts.',
  EditChecklists: 'Adds, changes and deletes items of checklists.',
  UpdateChecklistItemStatus: 'Ticks items of checklists.',
  UpdateApprovalItemStatus: 'Gives and withdraws approvals.',
  UpdateRegressionTesting: 'Passes and fails regression tests, and sets the verdict.',
  UpdateFeatureReadiness: 'Decides which features a release does not wait for.',
  ToggleFeatureFlags: 'Switches feature flags.',
  RequestFixes: 'Requests fixes for a release.',
  ApproveFixes: 'Approves and rejects such fixes.',
  ManageTriageIssues: 'Reports and changes issues that were found late.',
  ManageBuckets: 'Creates and changes buckets of builds, and who may install from them.',
  UploadBuilds: 'Uploads builds and files that belong to them.',
  ManageUsersGroups: 'Creates groups, and adds people to them.',
  GenerateReleaseNotes: 'Drafts release notes.',
}

/** States of people in an organization: named, seen before, or without rights. */
export const userStatuses = enumeration(
  'UserStatus',
  ['invited', 'active', 'deactivated'],
  'Status of a person: added but not signed in yet, active, or without any rights.'
)

export type UserStatus = (typeof userStatuses)[number]

/** States of API keys. */
export const keyStatuses = enumeration(
  'ApiKeyStatus',
  ['active', 'expired', 'revoked'],
  'Status of a key: usable, expired, or revoked.'
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
