import { columnsOf, type StoredRowOf } from '#foundation/core/database/table'
import type { EndpointHealth } from '#webhooks/health'
import type { Subscription } from '#webhooks/subscription'
import {
  webhookDeliveries,
  webhookEndpoints,
  type webhookAttempts,
  type webhookRecoveries,
} from '#webhooks/tables'

/** Rows as the database answers them, by their columns. */
export type EndpointRow = StoredRowOf<typeof webhookEndpoints>
export type DeliveryRow = StoredRowOf<typeof webhookDeliveries>
export type AttemptRow = StoredRowOf<typeof webhookAttempts>
export type RecoveryRow = StoredRowOf<typeof webhookRecoveries>

export const ENDPOINT_COLUMNS = columnsOf(webhookEndpoints)
export const DELIVERY_COLUMNS = columnsOf(webhookDeliveries)

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
