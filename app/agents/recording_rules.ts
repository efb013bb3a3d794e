import type { RecordingRules } from '#foundation/core/database/recording_rules'

/*
 * The parts of a row that count for the plan of an action (docs/decisions/0028-agents.md).
 * Every table and column counts unless it is listed here, so new ones count by default.
 */

/** Tables that are not recorded at all, with their content. */
export const UNRECORDED: Readonly<Record<string, string>> = {
  accounts: 'how people sign in',
  adonis_schema: 'the migrator’s own',
  adonis_schema_versions: 'the migrator’s own',
  audit_entries: 'what was done',
  callback_deliveries: 'what providers sent',
  connection_healths: 'whether providers answer',
  integration_failures: 'whether providers answer',
  connection_tokens: 'credentials of a while',
  connection_values: 'what plugins learnt about providers',
  device_logins: 'programs that ask to be signed in',
  event_counters: 'numbers of events',
  event_streams: 'where timelines end',
  events: 'what happened',
  idempotency_keys: 'first answers of writes',
  integration_calls: 'the log of calls to providers',
  kept_forms: 'what was typed without a session',
  metric_points: 'measurements',
  metric_series: 'what is measured',
  oauth_starts: 'connections that are being made',
  provider_budgets: 'how much providers may be asked',
  rate_limits: 'counts of requests',
  request_counts: 'counts of requests',
  resumable_uploads: 'uploads that have begun',
  service_identity: 'the service',
  sign_in_links: 'links that sign people in',
  sign_ins: 'where people are signed in',
  simulated_worlds: 'what is not real',
  stored_files: 'files to remove when nobody names them',
  touched_rows: 'the notes themselves',
  webhook_relays: 'how far events were handed on',
}

/**
 * Tables whose rows a plan lists when they are destroyed, but which never make a plan stale: the
 * service or its users add to them all the time.
 */
export const REPORTED_ALONE: ReadonlySet<string> = new Set([
  'jobs',
  'app_build_watches',
  'app_store_reviews',
  'bucket_landings',
  'build_downloads',
  'build_readings',
  'callback_addresses',
  'chat_messages',
  'code_pulls',
  'flag_watches',
  'integration_hooks',
  'rehearsals',
  'release_branch_watches',
  'release_commits',
  'release_features',
  'release_holds',
  'release_progress',
  'release_tickets',
  'store_watches',
  'tester_devices',
  'ticket_marks',
  'tracker_tickets',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_recoveries',
])

/**
 * Tables whose rows are shared by several actions. For a remaining row, only the changed part and
 * its identifying columns count. Otherwise plans would go stale all the time.
 */
const SHARED: ReadonlySet<string> = new Set(['app_plans', 'apps', 'release_plans', 'releases'])

/**
 * Tables in which some rows never make a plan stale: those where this column says that nobody has
 * decided.
 */
const UNDECIDED: Readonly<Record<string, string>> = { feature_items: 'ignored_by' }

/** Columns that the service updates by itself, in any table. */
const SERVICE_COLUMNS = [
  'changed_at',
  'checked_at',
  'last_synced_at',
  'last_used_at',
  'look_at',
  'visible_at',
  'next_evaluation_at',
  'polled_at',
  'seen_at',
  'updated_at',
]

/** Such columns per table: observations, measurements, and counts of rows stored elsewhere. */
export const SERVICE_COLUMNS_OF: Readonly<Record<string, readonly string[]>> = {
  app_notifications: ['troubles'],
  app_plans: ['undecided_from'],
  app_store_builds: ['seen', 'known', 'beta'],
  app_store_versions: ['seen', 'known', 'past'],
  apps: ['icon_failure'],
  buckets: ['build_count'],
  feature_items: [
    'authors',
    'code',
    'code_status',
    'code_type',
    'digest',
    'is_gone',
    'is_moved_out',
    'reason',
    'search_text',
    'ticket',
  ],
  release_plans: ['planned', 'reminded', 'runs'],
  releases: ['held_by'],
  rollouts: ['judgements', 'next', 'samples', 'asked_since'],
  store_records: ['calls', 'generation', 'lag_seconds', 'others', 'poll_failure'],
  triage_issues: ['affected_versions', 'metrics'],
  webhook_endpoints: [
    'failures',
    'failing_since',
    'last_success_at',
    'probe_at',
    'probes',
    'start_sequence',
    'wake_at',
    'warned_at',
    'warnings',
  ],
}

/** Such members inside JSON columns that people otherwise set, at any depth. */
const SERVICE_MEMBERS_OF: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  app_plans: { automations: ['lastResult', 'lastRunAt'], follow_ups: ['lastResult', 'lastRunAt'] },
  release_plans: { follow_ups: ['run'] },
  store_plans: { wanted: ['generation'], rollout: ['generation'] },
}

/** Columns whose values differ each time the same is done: secrets, sealed or hashed. */
const DRAWN = [
  'ciphertext',
  'fingerprint',
  'key_hash',
  'secret_hash',
  'sealed_headers',
  'sealed_keys',
  'token_hash',
]

/**
 * Rows that count along with a changed row, linked by a column of each: the people and keys a group
 * gives its rights to, and the rights new members get; what is sent to a store with a version, and
 * what people know about it, such as its tests; the address of a webhook that is sent again.
 */
const BESIDE = [
  { table: 'groups', by: 'id', beside: 'group_members', its: 'group_id' },
  { table: 'groups', by: 'id', beside: 'api_key_groups', its: 'group_id' },
  { table: 'group_members', by: 'group_id', beside: 'groups', its: 'id' },
  { table: 'store_plans', by: 'release_id', beside: 'step_runs', its: 'release_id' },
  {
    table: 'store_plans',
    by: 'release_id',
    beside: 'app_store_review_attachments',
    its: 'release_id',
  },
  { table: 'webhook_deliveries', by: 'endpoint_id', beside: 'webhook_endpoints', its: 'id' },
  { table: 'webhook_recoveries', by: 'endpoint_id', beside: 'webhook_endpoints', its: 'id' },
] as const

const serviceColumns = new Set(SERVICE_COLUMNS)
const drawn = new Set(DRAWN)

/** Decides which parts of a row count for the plan of an action. */
export const planRecordingRules: RecordingRules = {
  isUnrecorded: (table) => table in UNRECORDED,
  isReportedAlone: (table, row) =>
    REPORTED_ALONE.has(table) || (table in UNDECIDED && (row[UNDECIDED[table]] ?? null) === null),
  isSharedRow: (table) => SHARED.has(table),
  isServiceColumn: (table, column) =>
    serviceColumns.has(column) || (SERVICE_COLUMNS_OF[table]?.includes(column) ?? false),
  serviceMembers: (table, column) => SERVICE_MEMBERS_OF[table]?.[column] ?? [],
  isDrawn: (column) => drawn.has(column),
  beside: BESIDE,
}
