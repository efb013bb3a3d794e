import type { Instant } from '#foundation/core/clock'
import { knownMembers } from '#foundation/core/database/table'
import type { SecretBox } from '#foundation/core/secret_box'
import type {
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEndpointEntity,
  WebhookRecoveryEntity,
} from '#webhooks/entities'
import { publicKeys, type EndpointKey } from '#webhooks/keys'
import {
  sealOwner,
  subscriptionOf,
  type AttemptRow,
  type DeliveryRow,
  type EndpointRow,
  type RecoveryRow,
} from '#webhooks/rows'
import { webhookAttempts, webhookEndpoints } from '#webhooks/tables'

/** Returns an endpoint as the API shows it, without secrets and header values. */
export function endpointEntity(
  row: EndpointRow,
  secrets: SecretBox,
  now: Instant
): WebhookEndpointEntity {
  const { events, appIds, platforms } = subscriptionOf(row)
  const keys = row.asymmetric ? secrets.open<EndpointKey[]>(sealOwner(row), row.sealed_keys) : null
  return {
    id: row.id,
    orgId: row.organization_id,
    url: row.url,
    description: row.description,
    events: [...events],
    appIds: appIds && [...appIds],
    platforms: platforms as WebhookEndpointEntity['platforms'],
    ...knownMembers(webhookEndpoints, row, ['headerNames']),
    timeoutSeconds: row.timeout_seconds,
    maxPerSecond: row.max_per_second,
    asymmetric: Boolean(row.asymmetric),
    publicKeys: publicKeys(keys ?? [], now),
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/**
 * Returns a delivery as the log shows it. While its endpoint is degraded, all but the probe are
 * held.
 * @param probe the id of the delivery that probes a degraded endpoint
 */
export function deliveryEntity(
  row: DeliveryRow,
  endpoint: EndpointRow,
  probe: string | null
): WebhookDeliveryEntity {
  const isHeld =
    row.status === 'pending' &&
    endpoint.status === 'degraded' &&
    row.next_attempt_at !== null &&
    row.id !== probe
  const nextAttemptAt = () => {
    if (isHeld) return null
    return row.id === probe ? endpoint.probe_at : row.next_attempt_at
  }
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    sequence: row.sequence,
    appId: row.app_id,
    status: isHeld ? 'held' : row.status,
    attemptCount: row.attempt_count,
    nextAttemptAt: nextAttemptAt(),
    lastAttemptAt: row.last_attempt_at,
    lastStatusCode: row.last_status_code,
    lastErrorClass: row.last_error_class,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

export function attemptEntity(row: AttemptRow): WebhookAttemptEntity {
  return {
    number: row.number,
    kind: row.kind,
    delivered: Boolean(row.delivered),
    startedAt: row.started_at,
    url: row.url,
    statusCode: row.status_code,
    errorClass: row.error_class,
    errorMessage: row.error_message,
    ...knownMembers(webhookAttempts, row, ['headerNames', 'answerHeaders', 'timings']),
    answerBody: row.answer_body,
    remoteAddress: row.remote_address,
  }
}

export function recoveryEntity(row: RecoveryRow): WebhookRecoveryEntity {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    since: row.since,
    status: row.status,
    examined: row.examined,
    recovered: row.recovered,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
