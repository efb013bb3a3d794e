/*
 * Whether a write could change an answer that is kept, by its table. A table of an organization
 * stands in one of the two lists (tests/watched_tables.spec.ts). A migration that adds a table
 * which such answers read adds its triggers too.
 */

/** Tables whose writes count (migrations/0019_numbers_of_answers.ts). */
export const WATCHED = [
  'api_key_apps',
  'api_key_groups',
  'api_keys',
  'app_build_watches',
  'app_notifications',
  'app_plans',
  'app_store_builds',
  'app_store_review_attachments',
  'app_store_reviews',
  'app_store_versions',
  'app_users',
  'apps',
  'bucket_landings',
  'buckets',
  'build_tags',
  'checklist_items',
  'ci_build_files',
  'ci_builds',
  'code_pulls',
  'connections',
  'destinations',
  'distribution_builds',
  'distribution_files',
  'feature_items',
  'fix_requests',
  'fix_settings',
  'flag_watches',
  'group_members',
  'groups',
  'install_links',
  'integrations',
  'organizations',
  'red_buttons',
  'release_aliases',
  'release_branch_watches',
  'release_candidates',
  'release_commits',
  'release_features',
  'release_items',
  'release_plans',
  'release_progress',
  'release_steps',
  'release_tickets',
  'releases',
  'rollout_policies',
  'rollouts',
  'run_builds',
  'simulated_worlds',
  'step_configs',
  'step_runs',
  'store_members',
  'store_plans',
  'store_records',
  'store_watches',
  'ticket_marks',
  'tracker_tickets',
  'triage_issues',
  'users',
] as const

/** Tables that no kept answer reads, with what they hold. */
export const UNWATCHED: Readonly<Record<string, string>> = {
  agenda_entries: 'work to do',
  audit_entries: 'what was done',
  build_downloads: 'who downloaded what',
  build_readings: 'archives to read',
  calendar_feeds: 'addresses of calendars, and when they were asked for',
  chat_messages: 'messages in chats, to be changed there',
  connection_healths: 'whether providers answer',
  integration_failures: 'whether providers answer',
  connection_secrets: 'credentials',
  connection_tokens: 'credentials',
  event_counters: 'the numbers themselves',
  event_streams: 'where timelines end',
  events: 'what happened',
  idempotency_keys: 'first answers of writes',
  integration_calls: 'the log of calls to providers',
  integration_deliveries: 'what providers sent',
  integration_hooks: 'how providers sign',
  metric_points: 'measurements',
  metric_series: 'what is measured',
  oauth_starts: 'connections that are being made',
  resumable_uploads: 'uploads that have begun',
  stored_files: 'files to remove when nobody names them',
  tester_devices: 'devices, and when they were seen',
  webhook_attempts: 'attempts at deliveries',
  webhook_deliveries: 'deliveries',
  webhook_endpoints: 'endpoints, and how they do',
  webhook_recoveries: 'deliveries that are sent again',
  webhook_relays: 'how far events were handed on',
}

/**
 * The columns of a table whose changes count, where one of the others is written all the time and
 * shown by no kept answer: when a key was last used, when a provider last answered.
 */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  api_keys: [
    'name',
    'secret_hash',
    'admin',
    'app_restricted',
    'expires_at',
    'revoked_at',
    'rotated_from',
  ],
  integrations: [
    'app_id',
    'connection_id',
    'key',
    'type',
    'kind',
    'data',
    'position',
    'destination_id',
    'updated_at',
  ],
}

/** Null where the change of any column counts. */
export const watchedColumns = (table: string): readonly string[] | null => SHOWN[table] ?? null
