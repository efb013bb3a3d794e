import type { ProblemCode } from '#foundation/core/problems/catalog'
import type { ConditionCode } from '#releases/engine/conditions'

/** The missing thing when an operation is refused, independent of the operation. */
export interface Lack {
  missing: string
  /** The people who can provide it, or a note that it happens by itself. */
  who: string
  /** Conditions of the release with more details: `whyNotMoving` names who can meet them. */
  conditions?: readonly ConditionCode[]
}

const PILOT = 'The release pilot decides'
const READ = 'Read its current state, and tell whoever asked for it'

/**
 * One entry for every refusal by state or by rights. It never names anything that destroys, forces
 * or ends something: that is for people, and an agent may act on anything it reads here.
 */
export const LACKS: Partial<Record<ProblemCode, Lack>> = {
  // Rights.
  action_missing: {
    missing: 'the right to do this, which the detail names',
    who: 'An admin of the organization can grant it to a key: ask a person who has it, and do not try another way',
  },
  admin_required: {
    missing: 'the rights of an admin',
    who: 'An admin of the organization has to do this: ask a person who is one, and do not try another way',
  },
  app_scope_missing: {
    missing: 'the right to change this app',
    who: 'An admin of the organization can grant it to a key: ask a person who has it, and do not try another way',
  },
  bucket_level_missing: {
    missing: 'a higher level in the bucket, which the detail names',
    who: 'An admin of the bucket can grant it: ask a person who is one, and do not try another way',
  },
  four_eyes: {
    missing: 'another person',
    who: 'Somebody other than its author has to do this. Tell them, and do not try another way',
  },

  // Releases.
  version_taken: {
    missing: 'a version that no release of the app has',
    who: 'The person you work for names one',
  },
  release_completed: { missing: 'an open release: this one is over', who: PILOT },
  release_skipped: {
    missing: 'a place on the train, which has left without this release',
    who: 'Whoever creates releases decides whether it comes back',
  },
  release_not_skipped: { missing: 'nothing: it is on the train', who: READ },
  release_live: {
    missing: 'the decision of the release pilot on what stores have of it, which `inStores` lists',
    who: 'The store decides on what it reviews, and the release pilot on the rest. Ask the pilot',
  },
  release_submitted: {
    missing: 'nothing: the store has it',
    who: 'why_not_moving shows how far along it is. Ask the release pilot before anything else',
  },
  release_not_kicked_off: {
    missing: 'the kickoff',
    who: 'Whoever creates releases kicks it off',
    conditions: ['not_kicked_off', 'kickoff_failed', 'train_held', 'pair_waits', 'release_skipped'],
  },
  release_kicked_off: {
    missing: 'a release that was not kicked off: version and kind of this one can no longer change',
    who: PILOT,
  },
  release_active: {
    missing: 'the decision of the release pilot on the active release of the app',
    who: 'Its release pilot knows how far along it is. Ask them',
  },
  step_type_mismatch: {
    missing: 'a step that this fits',
    who: 'Find it with find_releases',
  },
  step_run_superseded: {
    missing: 'the current run of the step',
    who: 'Find it in `currentStepRunId`; read it before you decide again',
  },
  too_many_open_releases: {
    missing: 'room: the app has as many open releases as it may have',
    who: 'There is room once open releases go out. Ask their pilots',
  },
  too_many_steps: {
    missing: 'room for steps, as the detail says',
    who: 'Whoever maintains the workflow of the app can make room. Ask an admin',
  },
  too_many_items: {
    missing: 'room for items, as the detail says',
    who: 'Whoever edits checklists can make room. Ask them',
  },
  cherry_pick_in: { missing: 'nothing: the branch has the commit', who: READ },
  cherry_picks_open: {
    missing: 'commits on the branch of the release whose cherry-pick was requested',
    who: 'Somebody brings them in by hand, or the release pilot decides to go without them. Tell them',
    conditions: ['cherry_pick_open', 'cherry_pick_failed'],
  },
  approvals_missing: {
    missing: 'the approvals that `items` lists',
    who: 'Their owners give them. Tell them',
    conditions: ['item_not_done', 'item_blocked'],
  },

  // Stores.
  steps_incomplete: {
    missing: 'required steps, which the response lists',
    who: 'why_not_moving shows who can do each. Tell them',
  },
  no_build_selected: {
    missing: 'a build that is selected for the store',
    who: 'Whoever holds SelectBuild selects one, once CI has built it and the store has it',
    conditions: ['no_build_selected', 'no_build', 'build_running', 'build_failed'],
  },
  build_unusable: {
    missing: 'a build that the store accepts',
    who: 'Whoever holds TriggerCIWorkflow can have CI build one. Ask them',
  },
  store_busy: {
    missing: 'the response of the store to the request under way',
    who: 'Nobody has to act. Wait, then read its current state',
  },
  not_in_review: {
    missing: 'a review of the store',
    who: READ,
    conditions: ['not_submitted', 'submission_running', 'submission_failed'],
  },
  review_files_unsupported: {
    missing: 'a store that accepts files for its review',
    who: READ,
  },
  not_approved: {
    missing: 'the approval of the store',
    who: 'The store decides. Wait for its verdict',
    conditions: [
      'not_submitted',
      'submission_running',
      'submission_failed',
      'store_question',
      'waiting_for_review',
      'in_review',
      'review_rejected',
      'invalid_binary',
    ],
  },
  rollout_not_running: {
    missing: 'a rollout that is under way',
    who: PILOT,
    conditions: ['not_approved', 'not_released', 'release_pending', 'rollout_not_started'],
  },
  rollout_no_predecessor: {
    missing: 'an earlier version that the store could serve instead',
    who: 'A person has to act in the console of the store. Tell the release pilot',
  },
  ladder_changed: {
    missing: 'one first share: `ladder` holds what was submitted and what is wanted now',
    who: 'The release pilot decides which of the two it is. Ask them',
  },
  rollout_by_store: {
    missing: 'a share that can be set: this store sets it itself',
    who: 'The store increases it automatically. Wait, or ask the release pilot',
  },
  rollout_stopped: {
    missing: 'the decision to continue the rollout, which was stopped',
    who: 'The release pilot decides, once the reason for the stop is gone. Ask them',
  },
  rollout_only_grows: {
    missing: 'a share above what users have already',
    who: 'The release pilot names it. Ask them',
  },

  release_paired: {
    missing: 'a release that goes out alone, or both releases of the pair',
    who: 'The release pilot decides whether the two go out apart. Ask them',
  },
  platforms_alike: {
    missing: 'one release for iOS and one for Android',
    who: 'Find them with find_releases',
  },
  already_out: { missing: 'nothing: users have one of the two', who: READ },
  goes_out_by_itself: {
    missing: 'a version that its store holds after the review',
    who: 'The release pilot decides how it goes out. Ask them',
  },
  managed_publishing_needed: {
    missing: 'the confirmation by a person that managed publishing is on in the Play Console',
    who: 'Whoever manages the Play Console knows. Ask the release pilot',
  },

  // Builds and their distribution.
  file_gone: {
    missing: 'the file, which is no longer kept',
    who: 'CI has to build it again. Ask whoever holds TriggerCIWorkflow',
  },
  bucket_exists: { missing: 'a name that no bucket of the app has', who: READ },
  public_links_disabled: {
    missing: 'a tester whom the link is for',
    who: 'The person you work for names one, or an admin of the bucket opens it to the public',
  },

  // Fixes and flags.
  code_already_in: { missing: 'nothing: the release has this code', who: READ },
  pull_request_closed: {
    missing: 'an open pull request',
    who: 'Its author can reopen it or open another one. Tell them',
  },
  fix_request_closed: {
    missing: 'an open fix request: this one was decided',
    who: 'Whoever requested it has to request it again. Tell them',
  },
  fix_requested: { missing: 'nothing: a fix has already been requested', who: READ },
  too_many_fix_requests: {
    missing: 'room for fix requests',
    who: 'Whoever holds ApproveFixes decides those that are open. Tell them',
  },
  flag_changed: {
    missing: 'the current `etag` of the flag',
    who: 'Read it with feature_flags, and ask whoever wants the switch again',
  },

  // Automations.
  automation_dependency: {
    missing: 'the automation or setting that the detail names',
    who: 'Whoever holds EditAutomations can change it. Ask them',
  },
  automation_inactive: { missing: 'a release that the automation acts on', who: READ },

  // Providers and their credentials.
  integration_missing: {
    missing: 'an integration, of the kind that the detail names',
    who: 'Whoever manages the integrations of the app can connect one. Ask them',
  },
  destination_taken: { missing: 'a name that no destination has', who: READ },
  connection_in_use: { missing: 'a connection that no app uses', who: 'Ask an admin' },
  credentials_refused: {
    missing: 'credentials that the provider accepts',
    who: 'Whoever manages integrations gets them from the provider and connects it again. Tell them',
  },
  credentials_missing: {
    missing: 'credentials for the connection',
    who: 'Whoever manages integrations connects it again. Tell them',
  },
  credentials_unreadable: {
    missing: 'credentials that can be read: the key of the service was changed',
    who: 'The operator of the service has to fix it. Tell them',
  },
  plugin_missing: {
    missing: 'the plugin of the provider',
    who: 'The operator of the service has to fix it. Tell them',
  },
  authorization_refused: {
    missing: 'the consent of the provider',
    who: 'Whoever manages integrations begins again. Tell them',
  },
  provider_error: {
    missing: 'a response of the provider',
    who: 'Read its current state before anything else, and tell whoever manages integrations if that persists',
  },

  // The organization.
  name_taken: { missing: 'a name that is free', who: 'The person you work for names one' },
  last_admin: { missing: 'another admin of the organization', who: 'Ask an admin' },
  form_stale: { missing: 'a page that was just loaded', who: 'Ask the user to load it again' },
  rehearsal_under_way: {
    missing: 'a moment without a rehearsal',
    who: 'The one under way takes a few minutes. Call again later',
  },
  default_group: { missing: 'a custom group: default ones stay as they are', who: 'Ask an admin' },
  endpoint_disabled: {
    missing: 'an enabled endpoint',
    who: 'An admin enables it once its operator has fixed it. Ask them',
  },
  request_running: { missing: 'the response to the same request', who: 'Nobody has to act. Wait' },
  conflict: {
    missing: 'what the detail names',
    who: 'Read its state now (`currentStatus`), and ask whoever is responsible for it',
  },

  // Plans.
  plan_used: {
    missing: 'nothing: it is done',
    who: 'Read its current state before anything else',
  },
  plan_stale: {
    missing: 'a plan of how things stand now',
    who: 'Call again without `plan`, show the new plan to whoever decides, then send its token',
  },
}
