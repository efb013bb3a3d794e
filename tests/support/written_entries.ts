import { joined } from './joined.js'
import { OF_APPS } from './written_entries/apps.js'
import { OF_BUILDS } from './written_entries/builds.js'
import { OF_CHECKLIST_ITEMS } from './written_entries/checklist_items.js'
import { OF_FIXES } from './written_entries/fixes.js'
import { OF_ORGANIZATIONS } from './written_entries/organizations.js'
import { OF_RELEASES } from './written_entries/releases.js'

/** Operations that somebody else has to be there for, and the specs that show what they leave. */
export const SHOWN_ELSEWHERE: Record<string, string> = {
  // The provider signs it; it leads to a look, and leaves nothing by itself.
  takeProviderCallback: 'app/integrations/tests/callbacks.spec.ts',
  takeConnectionCallback: 'app/integrations/tests/connection_callbacks.spec.ts',
  // They write nothing.
  foreseeRollouts: 'app/rollouts/tests/rollout_outlook.spec.ts',
  foreseeSchedule: 'app/planning/tests/schedule_outlook.spec.ts',
  // A person confirms the program in the browser.
  beginDeviceLogin: 'app/pages/session/tests/device_login.spec.ts',
  finishDeviceLogin: 'app/pages/session/tests/device_login.spec.ts',
  // The key that asks ends itself.
  endApiKey: 'app/organizations/tests/keys.spec.ts',
  // A run of CI has a token.
  exchangeToken: 'app/organizations/keyless/tests/keyless.spec.ts',
  // A provider takes the credentials.
  updateIntegrationAuth: 'app/integrations/tests/update_auth.spec.ts',
  // A provider is asked, or a browser leads there.
  connectProvider: 'app/integrations/tests/connection_operations.spec.ts',
  checkConnection: 'app/integrations/tests/connection_operations.spec.ts',
  rotateConnection: 'app/integrations/tests/connection_operations.spec.ts',
  disconnectProvider: 'app/integrations/tests/connection_operations.spec.ts',
  issueCallbackSecret: 'app/integrations/tests/connection_operations.spec.ts',
  authorizeProvider: 'app/integrations/tests/browser_connections.spec.ts',
  completeAuthorization: 'app/integrations/tests/browser_connections.spec.ts',
  // An experimentation service has the flag.
  updateFeatureFlag: 'app/features/tests/feature_flags.spec.ts',
  // Somebody is signed in.
  endSignIn: 'app/pages/session/tests/sign_ins.spec.ts',
  // The operation it carries out leaves its own.
  callAgentProtocol: 'app/agents/tests/mcp.spec.ts',
  // A CI system builds.
  triggerCIWorkflow: 'app/builds/tests/trigger_ci.spec.ts',
  // A repository has the commits.
  dismissCherryPick: 'app/version_control/tests/cherry_picks.spec.ts',
  // A store is asked.
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
  // A simulated world has to exist; its events are tested by themselves.
  playSimulatedScenario: 'app/simulation/tests/control.spec.ts',
  advanceSimulatedWorld: 'app/simulation/tests/control.spec.ts',
  actInSimulatedConsole: 'app/simulation/tests/control.spec.ts',
  resetSimulatedWorld: 'app/simulation/tests/control.spec.ts',
  // Nothing of the organization is changed; it says itself who asked for it.
  startRehearsal: 'app/simulation/tests/rehearsals.spec.ts',
  stopRehearsal: 'app/simulation/tests/rehearsals.spec.ts',
}

/** Every other operation that writes, with the entries it leaves. */
export const WRITES = joined(
  OF_ORGANIZATIONS,
  OF_APPS,
  OF_BUILDS,
  OF_RELEASES,
  OF_CHECKLIST_ITEMS,
  OF_FIXES
)
