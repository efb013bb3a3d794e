import { joined } from './joined.js'
import { OF_APPS } from './written_entries/apps.js'
import { OF_BUILDS } from './written_entries/builds.js'
import { OF_CHECKLIST_ITEMS } from './written_entries/checklist_items.js'
import { OF_FIXES } from './written_entries/fixes.js'
import { OF_ORGANIZATIONS } from './written_entries/organizations.js'
import { OF_RELEASES } from './written_entries/releases.js'

/** Operations that need more than a request, with the specs that test the entries they leave. */
export const SHOWN_ELSEWHERE: Record<string, string> = {
  // A provider signs the callback, which only triggers a read and leaves no entry itself.
  takeProviderCallback: 'app/integrations/tests/callbacks.spec.ts',
  takeConnectionCallback: 'app/integrations/tests/connection_callbacks.spec.ts',
  // These write nothing.
  foreseeRollouts: 'app/rollouts/tests/rollout_outlook.spec.ts',
  foreseeSchedule: 'app/planning/tests/schedule_outlook.spec.ts',
  // A person confirms the program in the browser.
  beginDeviceLogin: 'app/pages/session/tests/device_login.spec.ts',
  finishDeviceLogin: 'app/pages/session/tests/device_login.spec.ts',
  // The key of the request ends itself.
  endApiKey: 'app/organizations/tests/keys.spec.ts',
  // This needs the token of a CI run.
  exchangeToken: 'app/organizations/keyless/tests/keyless.spec.ts',
  // A provider checks the credentials.
  updateIntegrationAuth: 'app/integrations/tests/update_auth.spec.ts',
  // These need a provider or a browser.
  connectProvider: 'app/integrations/tests/connection_operations.spec.ts',
  checkConnection: 'app/integrations/tests/connection_operations.spec.ts',
  rotateConnection: 'app/integrations/tests/connection_operations.spec.ts',
  disconnectProvider: 'app/integrations/tests/connection_operations.spec.ts',
  issueCallbackSecret: 'app/integrations/tests/connection_operations.spec.ts',
  authorizeProvider: 'app/integrations/tests/browser_connections.spec.ts',
  completeAuthorization: 'app/integrations/tests/browser_connections.spec.ts',
  // This needs an experimentation service with the flag.
  updateFeatureFlag: 'app/features/tests/feature_flags.spec.ts',
  // This needs a person who is signed in.
  endSignIn: 'app/pages/session/tests/sign_ins.spec.ts',
  // The operation that it carries out leaves the entries.
  callAgentProtocol: 'app/agents/tests/mcp.spec.ts',
  // This needs a CI system.
  triggerCIWorkflow: 'app/builds/tests/trigger_ci.spec.ts',
  // This needs a repository with commits.
  dismissCherryPick: 'app/version_control/tests/cherry_picks.spec.ts',
  // These need a store.
  submitRelease: 'app/stores/tests/submit.spec.ts',
  submitStepRun: 'app/stores/tests/submit.spec.ts',
  developerRejectSubmission: 'app/stores/tests/developer_reject.spec.ts',
  developerRejectStepRunSubmission: 'app/stores/tests/developer_reject.spec.ts',
  takeOffRelease: 'app/stores/tests/take_off.spec.ts',
  takeOffStepRun: 'app/stores/tests/take_off.spec.ts',
  joinReleases: 'app/stores/tests/pairs/join_releases.spec.ts',
  partReleases: 'app/stores/tests/pairs/join_releases.spec.ts',
  distributeBetaBuild: 'app/stores/tests/give_to_testers.spec.ts',
  replyToAppStoreReview: 'app/stores/tests/answered_reviews.spec.ts',
  setSelectedBuilds: 'app/stores/tests/selected_builds.spec.ts',
  changeRollout: 'app/rollouts/tests/steer_rollout.spec.ts',
  changeStepRunRollout: 'app/rollouts/tests/steer_rollout.spec.ts',
  pressRedButton: 'app/rollouts/tests/red_button.spec.ts',
  startSimulatedWorld: 'app/simulation/tests/start_world.spec.ts',
  // These need a simulated world, whose events have tests of their own.
  playSimulatedScenario: 'app/simulation/tests/control.spec.ts',
  advanceSimulatedWorld: 'app/simulation/tests/control.spec.ts',
  actInSimulatedConsole: 'app/simulation/tests/control.spec.ts',
  resetSimulatedWorld: 'app/simulation/tests/control.spec.ts',
  // A rehearsal changes nothing of the organization, and names who asked for it.
  startRehearsal: 'app/simulation/tests/rehearsals.spec.ts',
  stopRehearsal: 'app/simulation/tests/rehearsals.spec.ts',
}

/** All other operations that write, with the entries that they leave. */
export const WRITES = joined(
  OF_ORGANIZATIONS,
  OF_APPS,
  OF_BUILDS,
  OF_RELEASES,
  OF_CHECKLIST_ITEMS,
  OF_FIXES
)
