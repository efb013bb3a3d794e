import { joined } from './joined.js'
import { ofApps } from './repeated_writes/apps.js'
import { ofBuilds } from './repeated_writes/builds.js'
import { ofChecklistItems } from './repeated_writes/checklist_items.js'
import { ofFixes } from './repeated_writes/fixes.js'
import { ofOrganizations } from './repeated_writes/organizations.js'
import { ofReleases } from './repeated_writes/releases.js'
import type { Repeatable } from './repeated_writes/repeatable.js'
import type { Write } from './repeated_writes/write.js'

/** Every write that may change nothing, by operation, in an order in which they can be sent. */
export function repeatedWrites(given: Repeatable): Record<string, Write[]> {
  return joined(
    ofApps(given),
    ofBuilds(given),
    ofOrganizations(given),
    ofFixes(given),
    ofReleases(given),
    ofChecklistItems(given)
  )
}

/** Why an operation cannot be asked for twice with nothing changed. */
export const UNREPEATABLE: Record<string, string> = {
  createAppFromConfiguration: 'makes another app',
  deleteAppByConfiguration: 'is 404 then',
  addDestinationFromConfiguration: 'is 409 then',
  createBucket: 'is 409 then',
  uploadBucketBuild: 'makes another build',
  attachBucketBuildFile: 'replaces the file',
  deleteBucketBuild: 'is 404 then',
  createInstallLink: 'makes another link',
  deleteInstallLink: 'is 404 then',
  postCustomEvents: 'counts again',
  beginDeviceLogin: 'begins another one',
  finishDeviceLogin: 'gives a key once',
  takeProviderCallback: 'notes when it came',
  takeConnectionCallback: 'notes when it came',
  updateIntegrationAuth: 'stores another version',
  connectProvider: 'makes another connection',
  authorizeProvider: 'begins another one',
  completeAuthorization: 'is 404 then',
  checkConnection: 'notes when it was',
  rotateConnection: 'stores another version',
  disconnectProvider: 'is 404 then',
  issueCallbackSecret: 'makes another secret',
  startSimulatedWorld: 'is 409 then',
  createApiKey: 'makes another key',
  rotateApiKey: 'makes another key',
  createUser: 'is 409 then',
  createSignInLink: 'makes another link',
  createGroup: 'is 409 then',
  deleteGroup: 'is 404 then',
  createRelease: 'is 409 then',
  deleteRelease: 'is 404 then',
  unskipRelease: 'is 409 then',
  createChecklistItem: 'makes another item',
  createApprovalItem: 'makes another item',
  createRegressionItem: 'makes another item',
  createRegressionItems: 'makes other items',
  deleteRegressionItems: 'is 422 then',
  createBucketUpload: 'begins another upload',
  continueBucketUpload: 'is 409 then, at another offset',
  cancelBucketUpload: 'is 404 then',
  createFixRequest: 'makes another request',
  requestTriageIssueFix: 'is 409 then',
  createTriageIssue: 'makes another issue',
  triggerCIWorkflow: 'starts another run',
  updateFeatureFlag: 'is shown by its own spec, which has a provider',
  dismissCherryPick: 'is shown by its own spec, which has a repository',
  generateReleaseNotes: 'is told of again',
  foreseeRollouts: 'writes nothing',
  submitRelease: 'is 409 then',
  submitStepRun: 'is 409 then',
  developerRejectSubmission: 'is 409 then',
  developerRejectStepRunSubmission: 'is 409 then',
  uploadAppStoreReviewAttachmentFiles: 'keeps another file',
  takeOffRelease: 'needs a store; its own spec repeats it',
  takeOffStepRun: 'needs a store; its own spec repeats it',
  distributeBetaBuild: 'needs a store; its own spec repeats it',
  replyToAppStoreReview: 'needs a store; its own spec repeats it',
  setSelectedBuilds: 'needs a store; its own spec repeats it',
  changeRollout: 'needs a store; its own spec repeats it',
  joinReleases: 'needs stores; its own spec repeats it',
  partReleases: 'needs stores; its own spec repeats it',
  changeStepRunRollout: 'needs a store; its own spec repeats it',
  pressRedButton: 'needs a store; its own spec repeats it',
  createWebhookEndpoint: 'makes another endpoint',
  importReleases: 'takes a table; its own spec repeats it',
  createReleaseLink: 'makes another link',
  revokeReleaseLink: 'is 404 then',
  createCalendarFeed: 'makes another address',
  revokeCalendarFeed: 'is 404 then',
  deleteWebhookEndpoint: 'is 404 then',
  callAgentProtocol: 'carries out other operations',
  pingWebhookEndpoint: 'sends another message',
  rotateWebhookSecret: 'makes another secret',
  redeliverWebhook: 'sends it once more',
  recoverWebhooks: 'starts another job',
  playSimulatedScenario: 'begins the world anew',
  advanceSimulatedWorld: 'lets more time pass',
  actInSimulatedConsole: 'does it once more, or is refused',
  resetSimulatedWorld: 'begins the world anew',
}
