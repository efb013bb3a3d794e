import {
  flag,
  instant,
  json,
  optional,
  table,
  text,
  integer,
} from '#foundation/core/database/table'
import type { WebhookAttemptEntity } from '#webhooks/entities'
import type {
  AttemptKind,
  DeliveryStatus,
  DisabledReason,
  EndpointStatus,
  RecoveryStatus,
} from '#webhooks/vocabulary'

/** The attempts at deliveries. */
export const webhookAttempts = table('webhook_attempts', {
  id: text(),
  organizationId: text(),
  deliveryId: text(),
  number: integer(),
  kind: text<AttemptKind>(),
  delivered: flag(),
  startedAt: instant(),
  url: text(),
  headerNames: json<string[]>(),
  statusCode: optional(integer()),
  errorClass: optional(text()),
  errorMessage: optional(text()),
  answerHeaders: json<WebhookAttemptEntity['answerHeaders']>(),
  answerBody: text(),
  remoteAddress: optional(text()),
  timings: json<WebhookAttemptEntity['timings']>(),
})

/** Events on their way to an endpoint. */
export const webhookDeliveries = table('webhook_deliveries', {
  id: text(),
  organizationId: text(),
  endpointId: text(),
  eventId: text(),
  eventType: text(),
  entityKey: text(),
  appId: optional(text()),
  sequence: optional(integer()),
  place: integer(),
  /** The bytes to send for a ping; null for an event, which has its own payload. */
  payload: optional(text()),
  status: text<DeliveryStatus>(),
  failedAttempts: integer(),
  attemptCount: integer(),
  nextAttemptAt: optional(instant()),
  firstFailedAt: optional(instant()),
  manualAt: optional(instant()),
  claimId: optional(text()),
  /** The process of the claim; null if its deliveries are never handed back early. */
  claimedBy: optional(text()),
  claimedAt: optional(instant()),
  leaseUntil: optional(instant()),
  /** The time until which an earlier delivery of its entity blocks it; null if it need not wait. */
  waitsUntil: optional(instant()),
  lastStatusCode: optional(integer()),
  lastErrorClass: optional(text()),
  lastAttemptAt: optional(instant()),
  createdAt: instant(),
  finishedAt: optional(instant()),
})

/** Addresses that organizations have events sent to. */
export const webhookEndpoints = table('webhook_endpoints', {
  id: text(),
  organizationId: text(),
  url: text(),
  description: optional(text()),
  events: json<string[]>(),
  appIds: optional(json<string[]>()),
  platforms: optional(json<string[]>()),
  timeoutSeconds: integer(),
  maxPerSecond: optional(integer()),
  asymmetric: flag(),
  sealedKeys: text(),
  sealedHeaders: text(),
  headerNames: json<string[]>(),
  status: text<EndpointStatus>(),
  disabledReason: optional(text<DisabledReason>()),
  failures: integer(),
  failingSince: optional(instant()),
  warnings: integer(),
  warnedAt: optional(instant()),
  lastSuccessAt: optional(instant()),
  startSequence: integer(),
  wakeAt: optional(instant()),
  probeAt: optional(instant()),
  probes: integer(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Jobs that deliver past events to an endpoint again. */
export const webhookRecoveries = table('webhook_recoveries', {
  id: text(),
  organizationId: text(),
  endpointId: text(),
  since: instant(),
  status: text<RecoveryStatus>(),
  examinedSequence: integer(),
  lastSequence: integer(),
  examined: integer(),
  recovered: integer(),
  createdAt: instant(),
  finishedAt: optional(instant()),
})

/** The progress of relaying an organization's events. */
export const webhookRelays = table('webhook_relays', {
  organizationId: text(),
  sequence: integer(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    webhook_attempts: typeof webhookAttempts
    webhook_deliveries: typeof webhookDeliveries
    webhook_endpoints: typeof webhookEndpoints
    webhook_recoveries: typeof webhookRecoveries
    webhook_relays: typeof webhookRelays
  }
}
