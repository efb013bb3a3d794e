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
  // What is missing or in use is named in the detail; only commands connect providers.
  credentials_refused: 'none',
  credentials_missing: 'none',
  credentials_unreadable: 'none',
  plugin_missing: 'none',
  connection_in_use: 'none',
  authorization_refused: 'none',
  // However they stand, they are too many.
  too_many_open_releases: 'none',
  too_many_steps: 'none',
  too_many_items: 'none',
  // Which other automation is in the way is named in the detail; releases and stores decide.
  automation_dependency: 'none',
  automation_inactive: 'none',
  default_group: 'status',
  release_completed: 'status',
  release_skipped: 'status',
  release_not_skipped: 'status',
  release_submitted: 'status',
  release_not_kicked_off: 'status',
  release_kicked_off: 'status',
  release_active: 'status',
  approvals_missing: 'status',
  endpoint_disabled: 'status',
  // What became of the build decides what is left of its files.
  file_gone: 'status',
  fix_request_closed: 'status',
  fix_requested: 'status',
  too_many_fix_requests: 'none',
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
