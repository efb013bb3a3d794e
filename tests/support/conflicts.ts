/**
 * Every code of status 409, and whether it stems from a status: then the answer says what the
 * status is and what can be done with the thing. `conflict` is of several things.
 */
export const CONFLICTS: Record<string, 'status' | 'none' | 'either'> = {
  conflict: 'either',
  // Names, versions and destinations are taken, whatever the thing that has them is doing; a
  // release says where it stands all the same, as that decides whether it can make room.
  name_taken: 'none',
  destination_taken: 'none',
  last_admin: 'none',
  too_many_trust_rules: 'none',
  rehearsal_under_way: 'none',
  bucket_exists: 'none',
  public_links_disabled: 'none',
  version_taken: 'status',
  // Something is missing, of another kind, or elsewhere by now.
  integration_missing: 'none',
  step_type_mismatch: 'none',
  step_run_superseded: 'none',
  request_running: 'none',
  plan_stale: 'none',
  plan_used: 'none',
  plan_outdated: 'none',
  // The detail names what is missing or in use.
  credentials_refused: 'none',
  credentials_unreadable: 'none',
  plugin_missing: 'none',
  connection_in_use: 'none',
  authorization_refused: 'none',
  // However they stand, they are too many.
  too_many_open_releases: 'none',
  too_many_steps: 'none',
  too_many_items: 'none',
  too_many_links: 'none',
  // The detail names the other automation.
  automation_dependency: 'status',
  automation_inactive: 'status',
  credentials_missing: 'status',
  default_group: 'status',
  release_completed: 'status',
  release_skipped: 'status',
  release_not_skipped: 'status',
  release_submitted: 'status',
  release_live: 'status',
  release_not_kicked_off: 'status',
  release_kicked_off: 'status',
  release_active: 'status',
  approvals_missing: 'status',
  endpoint_disabled: 'status',
  // The state of the build decides about its files.
  file_gone: 'status',
  fix_request_closed: 'status',
  fix_requested: 'status',
  // The content of the branch is no status of the release.
  code_already_in: 'none',
  cherry_pick_in: 'none',
  pull_request_closed: 'none',
  // Its provider knows its present value.
  flag_changed: 'none',
  too_many_fix_requests: 'none',
  steps_incomplete: 'status',
  cherry_picks_open: 'status',
  no_build_selected: 'status',
  store_busy: 'status',
  not_in_review: 'status',
  // The detail names the fault of a build, or the state of a rollout in its store.
  build_unusable: 'none',
  rollout_no_predecessor: 'status',
  ladder_changed: 'status',
  review_files_unsupported: 'none',
  not_approved: 'status',
  rollout_not_running: 'status',
  rollout_by_store: 'status',
  rollout_stopped: 'status',
  rollout_only_grows: 'status',
  // Shared properties of releases, or settings of a store.
  release_paired: 'none',
  platforms_alike: 'none',
  managed_publishing_needed: 'none',
  already_out: 'status',
  goes_out_by_itself: 'status',
}

/**
 * Every place that refuses with `conflict`, in the order of its file: whether it is about a
 * status, or about what something is, how many there are, or where it lies.
 */
export const CONFLICT_PLACES: Record<string, readonly ('status' | 'none')[]> = {
  // A number of files; the end of the build.
  'app/builds/store_files.ts': ['none', 'status'],
  'app/builds/actions/record_ci_build.ts': ['status', 'status'],
  'app/checklists/actions/set_approval_status.ts': ['status'],
  // A rule of the app asks for it.
  'app/checklists/actions/update_item.ts': ['none'],
  // A number of series.
  'app/monitoring/series_keeper.ts': ['none'],
  // The purposes of a plugin and an integration; an outdated file.
  'app/integrations/oauth/oauth_scheme.ts': ['none'],
  'app/integrations/controllers/credentials_controller.ts': ['none'],
  'app/integrations/connections/store_credentials.ts': ['none'],
  // Somebody changed them meanwhile.
  'app/integrations/connections/credentials_before.ts': ['none'],
  'app/integrations/store_integrations.ts': ['none'],
  'app/integrations/queries/find_installation.ts': ['none'],
  // The state of an upload, which its headers report.
  'app/foundation/api/resumable/protocol.ts': ['none'],
  // The owner of an address.
  'app/organizations/actions/create_user.ts': ['none'],
  'app/organizations/queries/user_entities.ts': ['status'],
  // Accounts and their people; of pages alone.
  'app/organizations/actions/link_account.ts': ['none', 'none'],
  'app/organizations/actions/rotate_key.ts': ['status', 'status', 'status', 'status'],
  'app/pages/session/actions/end_sign_in.ts': ['none'],
  // A number of endpoints.
  'app/webhooks/actions/create_endpoint.ts': ['none'],
  'app/webhooks/actions/update_endpoint.ts': ['status'],
  'app/webhooks/actions/redeliver.ts': ['status'],
  // It exists already; of the console alone.
  'app/simulation/actions/act_in_console.ts': ['none', 'none'],
  'app/simulation/actions/simulators.ts': ['none', 'none'],
  'app/simulation/actions/start_world.ts': ['none'],
  'app/distribution/actions/upload_build.ts': ['status'],
  // It has expired; how many files it has.
  'app/distribution/actions/attach_file.ts': ['status', 'none'],
  // A number of devices.
  'app/distribution/devices/register_device.ts': ['none'],
}

export interface ConflictBody {
  code: string
  currentStatus?: string
  allowedActions?: string[]
}

/** @throws Error for a 409 that does not say what its code has to say. */
export function demandStanding({ code, currentStatus, allowedActions }: ConflictBody): void {
  const decided = CONFLICTS[code]
  if (!decided) throw new Error(`Say in tests/support/conflicts.ts whether ${code} has a status`)
  if ((currentStatus === undefined) !== (allowedActions === undefined)) {
    throw new Error(`${code} says one of currentStatus and allowedActions`)
  }
  if (decided !== 'either' && (decided === 'status') !== (currentStatus !== undefined)) {
    throw new Error(`${code} ${decided === 'status' ? 'does not say' : 'says'} a currentStatus`)
  }
}
