import type { Instant } from '#foundation/core/clock'
import type { DisabledReason, EndpointHealth, EndpointStatus } from '#webhooks/health'
import type { Subscription } from '#webhooks/subscription'

/** A row of `webhook_endpoints` as the database answers it. */
export interface EndpointRow {
  id: string
  organization_id: string
  url: string
  description: string | null
  events: string
  app_ids: string | null
  platforms: string | null
  timeout_seconds: number
  max_per_second: number | null
  asymmetric: boolean | number
  sealed_keys: string
  sealed_headers: string
  header_names: string
  status: EndpointStatus
  disabled_reason: DisabledReason | null
  failures: number
  failing_since: Instant | null
  warnings: number
  warned_at: Instant | null
  last_success_at: Instant | null
  start_sequence: number
  wake_at: Instant | null
  probe_at: Instant | null
  probes: number
  created_at: Instant
  updated_at: Instant
}

/** The columns of `webhook_endpoints`. */
export const ENDPOINT_COLUMNS = [
  'id',
  'organization_id',
  'url',
  'description',
  'events',
  'app_ids',
  'platforms',
  'timeout_seconds',
  'max_per_second',
  'asymmetric',
  'sealed_keys',
  'sealed_headers',
  'header_names',
  'status',
  'disabled_reason',
  'failures',
  'failing_since',
  'warnings',
  'warned_at',
  'last_success_at',
  'start_sequence',
  'wake_at',
  'probe_at',
  'probes',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof EndpointRow)[]

/**
 * `pending` waits for its next attempt, `held` for a recovery because its endpoint is
 * disabled, `failed` used up its schedule, `expired` was held for 30 days.
 */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'held', 'expired'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** A row of `webhook_deliveries`. */
export interface DeliveryRow {
  id: string
  organization_id: string
  endpoint_id: string
  event_id: string
  event_type: string
  entity_key: string
  app_id: string | null
  sequence: number | null
  place: number
  payload: string | null
  status: DeliveryStatus
  failed_attempts: number
  attempt_count: number
  next_attempt_at: Instant | null
  first_failed_at: Instant | null
  manual_at: Instant | null
  claim_id: string | null
  claimed_at: Instant | null
  lease_until: Instant | null
  last_status_code: number | null
  last_error_class: string | null
  last_attempt_at: Instant | null
  created_at: Instant
  finished_at: Instant | null
}

/** The columns of `DeliveryRow`. */
export const DELIVERY_COLUMNS = [
  'id',
  'organization_id',
  'endpoint_id',
  'event_id',
  'event_type',
  'entity_key',
  'app_id',
  'sequence',
  'place',
  'payload',
  'status',
  'failed_attempts',
  'attempt_count',
  'next_attempt_at',
  'first_failed_at',
  'manual_at',
  'claim_id',
  'claimed_at',
  'lease_until',
  'last_status_code',
  'last_error_class',
  'last_attempt_at',
  'created_at',
  'finished_at',
] as const satisfies readonly (keyof DeliveryRow)[]

/** Why an attempt is made. */
export const ATTEMPT_KINDS = ['first', 'retry', 'probe', 'manual'] as const
export type AttemptKind = (typeof ATTEMPT_KINDS)[number]

/** A row of `webhook_attempts`. */
export interface AttemptRow {
  id: string
  organization_id: string
  delivery_id: string
  number: number
  kind: AttemptKind
  delivered: boolean | number
  started_at: Instant
  status_code: number | null
  error_class: string | null
  error_message: string | null
  answer_headers: string
  answer_body: string
  remote_address: string | null
  timings: string
}

/** A row of `webhook_recoveries`. */
export interface RecoveryRow {
  id: string
  organization_id: string
  endpoint_id: string
  since: Instant
  status: 'running' | 'completed' | 'canceled'
  examined_sequence: number
  last_sequence: number
  examined: number
  recovered: number
  created_at: Instant
  finished_at: Instant | null
}

export function healthOf(row: EndpointRow): EndpointHealth {
  return {
    status: row.status,
    disabledReason: row.disabled_reason,
    failures: row.failures,
    failingSince: row.failing_since,
    warnings: row.warnings,
    warnedAt: row.warned_at,
  }
}

/** The columns that hold a health. */
export function healthColumns(health: EndpointHealth) {
  return {
    status: health.status,
    disabled_reason: health.disabledReason,
    failures: health.failures,
    failing_since: health.failingSince,
    warnings: health.warnings,
    warned_at: health.warnedAt,
  }
}

export function subscriptionOf(
  row: Pick<EndpointRow, 'events' | 'app_ids' | 'platforms'>
): Subscription {
  return {
    events: JSON.parse(row.events),
    appIds: row.app_ids === null ? null : JSON.parse(row.app_ids),
    platforms: row.platforms === null ? null : JSON.parse(row.platforms),
  }
}

/** Whom the secrets of an endpoint are bound to. */
export function sealOwner(endpoint: Pick<EndpointRow, 'id' | 'organization_id'>): string {
  return `webhookEndpoint ${endpoint.organization_id} ${endpoint.id}`
}
