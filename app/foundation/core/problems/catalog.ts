/**
 * Every code a problem answer can carry: its status, its title and the text of its page
 * under `/problems/<code>`. Codes are stable: clients branch on them.
 */
export const problems = {
  // What was sent could not be read.
  malformed_json: [400, 'The body is not JSON', 'The body must be one JSON document in UTF-8.'],
  malformed_yaml: [400, 'The body is not YAML', 'The body must be one YAML 1.2 document.'],
  malformed_multipart: [400, 'The multipart body is malformed', 'See the operation for its parts.'],
  malformed_request: [400, 'The request is malformed', 'A header, path or encoding is broken.'],
  invalid_query: [400, 'A query parameter is invalid', 'Each broken parameter is listed.'],
  invalid_cursor: [400, 'The cursor is invalid', 'Use nextCursor of the same list and filters.'],
  digest_mismatch: [400, 'The digest does not match', 'The bytes received are not those sent.'],
  https_required: [403, 'HTTPS is required', 'This service answers only over HTTPS.'],

  // Who asks.
  key_missing: [401, 'An API key is required', 'Send it in the header X-API-Key.'],
  key_invalid: [401, 'The API key is not valid', 'It is malformed or unknown.'],
  key_revoked: [401, 'The API key was revoked', 'Ask an admin for a new one.'],
  key_expired: [401, 'The API key has expired', 'Ask an admin to rotate it.'],
  action_missing: [403, 'The key lacks a user action', 'The detail names the missing action.'],
  admin_required: [403, 'An admin key is required', 'Only keys with the admin flag may do this.'],
  app_scope_missing: [403, 'The key may not change this app', 'Its app scopes do not hold it.'],
  four_eyes: [403, 'The author cannot approve this', 'Someone else has to: the detail says why.'],
  not_owner: [403, 'Only an owner may do this', 'The item names its owners.'],

  // Where it goes.
  not_found: [404, 'Not found', 'There is nothing here that this key can see.'],
  method_not_allowed: [405, 'Method not allowed', 'The header Allow lists the methods.'],
  not_acceptable: [406, 'Not acceptable', 'The operation cannot answer in the accepted types.'],
  too_large: [413, 'The body is too large', 'The detail names the limit.'],
  unsupported_media_type: [415, 'Unsupported content type', 'The detail names those accepted.'],

  // What the state forbids.
  conflict: [409, 'The state forbids it', 'See currentStatus and allowedActions.'],
  name_taken: [409, 'The name is taken', 'Names are unique without regard to case.'],
  version_taken: [409, 'The version is taken', 'An app has one release per version.'],
  default_group: [409, 'A default group cannot change', 'Make a custom group instead.'],
  release_completed: [409, 'The release is completed', 'A completed release does not change.'],
  release_skipped: [409, 'The release is skipped', 'Un-skip it first.'],
  release_not_skipped: [409, 'The release is not skipped', 'Only a skipped one is un-skipped.'],
  release_submitted: [409, 'The release was submitted', 'A submitted release stays on record.'],
  release_not_kicked_off: [409, 'The release is not kicked off', 'Kick it off first.'],
  release_kicked_off: [409, 'The release was kicked off', 'Its version and kind are settled.'],
  release_active: [409, 'A release is active', 'Finish it or repeat with force=true.'],
  step_type_mismatch: [409, 'The step is of another type', 'The operation does not fit it.'],
  step_run_superseded: [409, 'The step run is not the current one', 'Use the current run.'],
  integration_missing: [409, 'An integration is missing', 'Connect one of the named kind first.'],
  destination_taken: [409, 'The destination exists', 'Destinations are unique by name.'],
  approvals_missing: [409, 'Required approvals are missing', 'The problem lists their items.'],
  already_approved: [409, 'Already approved by this person', 'Each person counts once.'],
  endpoint_disabled: [409, 'The endpoint is disabled', 'Enable it first.'],
  request_running: [409, 'The same request is still running', 'Try again after Retry-After.'],
  precondition_failed: [412, 'The entity changed meanwhile', 'Read it again, then repeat.'],
  precondition_required: [428, 'If-Match is required', 'This organization asks for it on writes.'],

  // What breaks a rule.
  invalid_input: [422, 'The input breaks a rule', 'Each broken field is listed.'],
  invalid_configuration: [422, 'The configuration file is invalid', 'Each problem is listed.'],
  all_items_failed: [422, 'Every item failed', 'Each item carries its error.'],
  idempotency_mismatch: [422, 'The key was used for another request', 'Use a new key.'],

  // Limits and faults.
  rate_limited: [429, 'Too many requests', 'Wait for Retry-After seconds.'],
  daily_limit_reached: [429, 'The daily quota is used up', 'It starts anew at midnight UTC.'],
  too_many_failures: [429, 'Too many failed keys', 'Wait for Retry-After seconds.'],
  internal_error: [500, 'Something went wrong here', 'The request id finds it in the log.'],
  provider_error: [502, 'A provider failed', 'The detail says whether it was applied.'],
  not_ready: [503, 'Not ready', 'Try again after Retry-After.'],
  not_stored: [503, 'It could not be stored', 'Nothing was changed; try again after Retry-After.'],
  outcome_unknown: [
    503,
    'It is not known whether this was done',
    'Read again, or repeat it with the same Idempotency-Key.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, help: string]>

export type ProblemCode = keyof typeof problems
