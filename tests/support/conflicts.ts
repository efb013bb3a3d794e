/**
 * Every code of HTTP status 409, and whether it stems from the status of an entity: if so, the
 * answer names that status and the actions it allows. `conflict` is used in both ways.
 */
export const CONFLICTS: Record<string, 'status' | 'none' | 'either'> = {
  conflict: 'either',
  // A name or destination is taken whatever the status of its owner. A release that has taken a
  // version still tells its status, which decides whether it can make room.
  name_taken: 'none',
  destination_taken: 'none',
  last_admin: 'none',
  too_many_trust_rules: 'none',
  rehearsal_under_way: 'none',
  bucket_exists: 'none',
  public_links_disabled: 'none',
  version_taken: 'status',
  // Something is missing, of another kind, or has changed meanwhile.
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
  // There are too many, whatever their status.
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
  // The content of a branch is no status of the release.
  code_already_in: 'none',
  cherry_pick_in: 'none',
  pull_request_closed: 'none',
  // The provider knows the present value of the flag.
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
 * Every use of `conflict` in a file, in the order of the file: `status` if it stems from the status
 * of an entity, `none` if from anything else, such as a number or a kind.
 */
export const CONFLICT_PLACES: Record<string, readonly ('status' | 'none')[]> = {
  // Too many files; the build has ended.
  'app/builds/store_files.ts': ['none', 'status'],
  'app/builds/actions/record_ci_build.ts': ['status', 'status'],
  'app/checklists/actions/set_approval_status.ts': ['status'],
  // A rule of the app demands the item.
  'app/checklists/actions/update_item.ts': ['none'],
  // Too many series.
  'app/monitoring/series_keeper.ts': ['none'],
  // The kind of a plugin or an integration; an outdated configuration file.
  'app/integrations/oauth/oauth_scheme.ts': ['none'],
  'app/integrations/controllers/credentials_controller.ts': ['none'],
  'app/integrations/connections/store_credentials.ts': ['none'],
  // Somebody changed them meanwhile.
  'app/integrations/connections/credentials_before.ts': ['none'],
  'app/integrations/store_integrations.ts': ['none'],
  'app/integrations/queries/find_installation.ts': ['none'],
  // The state of an upload, which its headers report.
  'app/foundation/api/resumable/protocol.ts': ['none'],
  // Somebody else has the address.
  'app/organizations/actions/create_user.ts': ['none'],
  'app/organizations/queries/user_entities.ts': ['status'],
  // Accounts and their people; only pages can cause these.
  'app/organizations/actions/link_account.ts': ['none', 'none'],
  'app/organizations/actions/rotate_key.ts': ['status', 'status', 'status', 'status'],
  'app/pages/session/actions/end_sign_in.ts': ['none'],
  // Too many endpoints.
  'app/webhooks/actions/create_endpoint.ts': ['none'],
  'app/webhooks/actions/update_endpoint.ts': ['status'],
  'app/webhooks/actions/redeliver.ts': ['status'],
  // The simulated store refuses a console action, or a world or connection exists already.
  'app/simulation/actions/act_in_console.ts': ['none', 'none'],
  'app/simulation/actions/simulators.ts': ['none', 'none'],
  'app/simulation/actions/start_world.ts': ['none'],
  'app/distribution/actions/upload_build.ts': ['status'],
  // The build has expired; it has too many files.
  'app/distribution/actions/attach_file.ts': ['status', 'none'],
  // Too many devices.
  'app/distribution/devices/register_device.ts': ['none'],
}

export interface ConflictBody {
  code: string
  currentStatus?: string
  allowedActions?: string[]
}

/**
 * @throws Error for a 409 that lacks the status its code needs, or has one that it must not have
 */
export function requireStanding({ code, currentStatus, allowedActions }: ConflictBody): void {
  const decided = CONFLICTS[code]
  if (!decided) throw new Error(`Say in tests/support/conflicts.ts whether ${code} has a status`)
  if ((currentStatus === undefined) !== (allowedActions === undefined)) {
    throw new Error(`${code} says one of currentStatus and allowedActions`)
  }
  if (decided !== 'either' && (decided === 'status') !== (currentStatus !== undefined)) {
    throw new Error(`${code} ${decided === 'status' ? 'does not say' : 'says'} a currentStatus`)
  }
}
