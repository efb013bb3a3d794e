/**
 * Operations by which somebody else is called, at once or as soon as a worker comes to it: a
 * provider, a store, a repository, or an address that webhooks go to. Events and messages, which
 * any change may cause, do not count.
 */
export const CALLS_OTHERS: ReadonlySet<string> = new Set([
  // A repository: branches, tags, picks, versions.
  'createRelease',
  'updateRelease',
  'kickOffRelease',
  'completeRelease',
  'listCherryPickCandidateCommits',
  'createFixRequest',
  'approveFixRequest',
  'requestTriageIssueFix',
  // Stores.
  'submitRelease',
  'submitStepRun',
  'developerRejectSubmission',
  'developerRejectStepRunSubmission',
  'takeOffRelease',
  'takeOffStepRun',
  'changeRollout',
  'changeStepRunRollout',
  'pressRedButton',
  // Flags, models, CI.
  'listFeatureFlags',
  'updateFeatureFlag',
  'generateReleaseNotes',
  'triggerCIWorkflow',
  // A file may connect an app to others and part it from them.
  'createAppFromConfiguration',
  'changeAppFromConfiguration',
  'addDestinationFromConfiguration',
  'deleteAppByConfiguration',
  // Addresses of webhooks.
  'pingWebhookEndpoint',
  'redeliverWebhook',
  'recoverWebhooks',
])
