import { Type, type Static } from '@sinclair/typebox'
import { APP_PLATFORMS } from '#apps/vocabulary'
import { eventCatalog } from '#foundation/core/events/catalog'
import { payloadSchema, thinPayloadSchema } from '#foundation/core/events/payloads'
import { deferred, instant, named, nullable, words } from '#foundation/core/schemas'
import {
  ATTEMPT_KINDS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  RECOVERY_STATUSES,
  type DeliveryStatus,
} from '#webhooks/vocabulary'

const endpointMembers = {
  id: Type.String(),
  orgId: Type.String(),
  url: Type.String(),
  description: nullable(Type.String()),
  events: Type.Array(Type.String(), { description: 'Event names, or `*` alone for all.' }),
  appIds: nullable(Type.Array(Type.String())),
  platforms: nullable(Type.Array(words(APP_PLATFORMS))),
  headerNames: Type.Array(Type.String(), {
    description: 'Names of the custom headers; their values are never shown again.',
  }),
  timeoutSeconds: Type.Integer({ minimum: 5, maximum: 30 }),
  maxPerSecond: nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  asymmetric: Type.Boolean({ description: 'Whether attempts are signed with `v1a` too.' }),
  publicKeys: Type.Array(Type.String(), { description: 'Keys that verify `v1a`, newest first.' }),
  status: words(ENDPOINT_STATUSES),
  disabledReason: nullable(words(DISABLED_REASONS)),
  createdAt: instant(),
  updatedAt: instant(),
}

export const WebhookEndpointEntity = named('WebhookEndpointEntity', Type.Object(endpointMembers))
export type WebhookEndpointEntity = Static<typeof WebhookEndpointEntity>

export const WebhookEndpointWithSecret = named(
  'WebhookEndpointWithSecret',
  Type.Object({
    ...endpointMembers,
    secret: Type.String({ description: 'Signs attempts (`whsec_…`); shown this once.' }),
  })
)

export const WebhookSecretRotation = named(
  'WebhookSecretRotation',
  Type.Object({
    id: Type.String(),
    secret: Type.String({ description: 'The new secret; shown this once.' }),
    publicKeys: Type.Array(Type.String()),
    keys: Type.Array(
      Type.Object({
        kind: words(['v1', 'v1a']),
        createdAt: instant(),
        expiresAt: nullable(instant()),
      }),
      { description: 'All keys that sign now, newest first.' }
    ),
  })
)

const deliveryMembers = {
  id: Type.String(),
  endpointId: Type.String(),
  eventId: Type.String({ description: 'The `webhook-id` of every attempt.' }),
  eventType: Type.String(),
  sequence: nullable(Type.Integer()),
  appId: nullable(Type.String()),
  status: words(DELIVERY_STATUSES),
  attemptCount: Type.Integer(),
  nextAttemptAt: nullable(instant()),
  lastAttemptAt: nullable(instant()),
  lastStatusCode: nullable(Type.Integer()),
  lastErrorClass: nullable(Type.String()),
  createdAt: instant(),
  finishedAt: nullable(instant()),
}

export const WebhookDeliveryEntity = named('WebhookDeliveryEntity', Type.Object(deliveryMembers))
export type WebhookDeliveryEntity = Static<typeof WebhookDeliveryEntity>

export const WebhookAttemptEntity = named(
  'WebhookAttemptEntity',
  Type.Object({
    number: Type.Integer(),
    kind: words(ATTEMPT_KINDS),
    delivered: Type.Boolean(),
    startedAt: instant(),
    statusCode: nullable(Type.Integer()),
    errorClass: nullable(Type.String()),
    errorMessage: nullable(Type.String()),
    answerHeaders: Type.Record(Type.String(), Type.String()),
    answerBody: Type.String({ description: 'The first 4 KiB.' }),
    remoteAddress: nullable(Type.String()),
    timings: Type.Object(
      {
        resolved: Type.Optional(Type.Integer()),
        connected: Type.Optional(Type.Integer()),
        answered: Type.Optional(Type.Integer()),
        total: Type.Integer(),
      },
      { description: 'Milliseconds since the start of the attempt.' }
    ),
  })
)
export type WebhookAttemptEntity = Static<typeof WebhookAttemptEntity>

export const WebhookDeliveryDetail = named(
  'WebhookDeliveryDetail',
  Type.Object({
    ...deliveryMembers,
    attempts: Type.Array(WebhookAttemptEntity, { description: 'The last 100, newest first.' }),
    payload: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'As it is sent; null when past retention.',
      })
    ),
  })
)

export const WebhookRecoveryEntity = named(
  'WebhookRecoveryEntity',
  Type.Object({
    id: Type.String(),
    endpointId: Type.String(),
    since: instant(),
    status: words(RECOVERY_STATUSES),
    examined: Type.Integer({ description: 'Events looked at so far.' }),
    recovered: Type.Integer({ description: 'Deliveries that start anew.' }),
    createdAt: instant(),
    finishedAt: nullable(instant()),
  })
)
export type WebhookRecoveryEntity = Static<typeof WebhookRecoveryEntity>

const count = () => Type.Integer({ minimum: 0 })

export const WebhookStatistics = named(
  'WebhookStatistics',
  Type.Object({
    since: instant({ description: 'Seven days ago.' }),
    deliveries: Type.Object(
      Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, count()])) as Record<
        DeliveryStatus,
        ReturnType<typeof count>
      >
    ),
    attempts: count(),
    deliveredAttempts: count(),
    failuresInARow: count(),
    failingSince: nullable(instant()),
    lastSuccessAt: nullable(instant()),
    disablesAt: nullable(instant({ description: 'When it is disabled if nothing succeeds.' })),
  })
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const WebhookEventTypeEntity = named(
  'WebhookEventTypeEntity',
  Type.Object({
    type: Type.String(),
    summary: Type.String(),
    description: Type.String(),
    platforms: Type.String(),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'An example of what is sent.',
    }),
  })
)

/** An event as the feed lists it: the payload of any, whole or thin. */
export const AnyWebhookPayload = deferred<Record<string, unknown>>(() =>
  Type.Union(
    eventCatalog
      .payloads()
      .flatMap((payload) => [payloadSchema(payload), thinPayloadSchema(payload)])
  )
)
