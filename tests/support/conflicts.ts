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
  // What is missing or in use is named in the detail; only commands connect providers.
  credentials_refused: 'none',
  credentials_unreadable: 'none',
  plugin_missing: 'none',
  connection_in_use: 'none',
  authorization_refused: 'none',
  // However they stand, they are too many.
  too_many_open_releases: 'none',
  too_many_steps: 'none',
  too_many_items: 'none',
  // Which other automation is in the way is named in the detail.
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
  // What became of the build decides what is left of its files.
  file_gone: 'status',
  fix_request_closed: 'status',
  fix_requested: 'status',
  // What is in the branch is no status of the release.
  code_already_in: 'none',
  cherry_pick_in: 'none',
  pull_request_closed: 'none',
  // What it is now is for its provider to say.
  flag_changed: 'none',
  too_many_fix_requests: 'none',
  steps_incomplete: 'status',
  cherry_picks_open: 'status',
  no_build_selected: 'status',
  store_busy: 'status',
  not_in_review: 'status',
  // What is wrong with a build, or where a rollout stands in its store, is named in the detail.
  build_unusable: 'none',
  rollout_no_predecessor: 'status',
  ladder_changed: 'status',
  review_files_unsupported: 'none',
  not_approved: 'status',
  rollout_not_running: 'status',
  rollout_by_store: 'status',
  rollout_stopped: 'status',
  rollout_only_grows: 'status',
}

/**
 * Every place that refuses with `conflict`, in the order of its file: whether it is about a
 * status, or about what something is, how many there are, or where it lies.
 */
export const CONFLICT_PLACES: Record<string, readonly ('status' | 'none')[]> = {
  // How many files a build has; that it is over.
  'app/builds/store_files.ts': ['none', 'status'],
  'app/builds/actions/record_ci_build.ts': ['status', 'status'],
  'app/checklists/actions/set_approval_status.ts': ['status'],
  // How many series there are.
  'app/monitoring/series_keeper.ts': ['none'],
  // What a plugin and an integration are for; that a file is older than what it names.
  'app/integrations/oauth/begin_authorization.ts': ['none'],
  'app/integrations/controllers/credentials_controller.ts': ['none'],
  'app/integrations/connections/store_credentials.ts': ['none'],
  'app/integrations/store_integrations.ts': ['none'],
  'app/integrations/queries/find_installation.ts': ['none'],
  // Where an upload stands, which its headers say.
  'app/foundation/api/resumable/protocol.ts': ['none'],
  // Whose an address is; what a key is.
  'app/organizations/actions/create_user.ts': ['none'],
  'app/organizations/actions/create_key.ts': ['none'],
  'app/organizations/actions/rotate_key.ts': ['status', 'status'],
  // How many endpoints there are.
  'app/webhooks/actions/create_endpoint.ts': ['none'],
  'app/webhooks/actions/update_endpoint.ts': ['status'],
  'app/webhooks/actions/redeliver.ts': ['status'],
  // That there is one; of the console alone.
  'app/simulation/actions/simulators.ts': ['none', 'none'],
  'app/simulation/actions/start_world.ts': ['none'],
  'app/distribution/actions/upload_build.ts': ['status'],
  // That it has expired; how many files it has.
  'app/distribution/actions/attach_file.ts': ['status', 'none'],
  // How many devices there are.
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
