import { Type, type Static } from '@sinclair/typebox'
import { APP_PLATFORMS } from '#apps/vocabulary'
import { eventCatalog } from '#foundation/core/events/catalog'
import { anyPayload } from '#foundation/core/events/payloads'
import {
  count,
  deferred,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  text,
  enumOf,
} from '#foundation/core/schemas'
import {
  ATTEMPT_KINDS,
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  RECOVERY_STATUSES,
  type DeliveryStatus,
} from '#webhooks/vocabulary'

const publicKeys = list(
  'Keys that verify `v1a` signatures, newest first; empty without `asymmetric`.',
  nonEmpty('An Ed25519 key: `whpk_` and base64.', 200),
  5
)

const endpointMembers = {
  id: id('Id of the endpoint.'),
  orgId: id('Id of the organization.'),
  url: nonEmpty('URL that events are sent to.', 2048),
  description: nullable(text('Purpose of the endpoint; null if none is given.', 500)),
  events: list(
    'Events it receives, or `*` alone for all.',
    nonEmpty('Name of an event, or `*`.', 64),
    100
  ),
  appIds: nullable(
    list('Apps whose events it receives; null for all.', nonEmpty('Id of an app.', 200), 200)
  ),
  platforms: nullable(
    list(
      'Platforms whose events it receives; null for all.',
      enumOf(APP_PLATFORMS, 'A platform.'),
      APP_PLATFORMS.length
    )
  ),
  headerNames: list(
    'Names of the custom headers; their values are never shown.',
    nonEmpty('Name of a header, in lower case.', 100),
    20
  ),
  timeoutSeconds: Type.Integer({
    description: 'Timeout of an attempt in seconds; 15 by default.',
    minimum: 5,
    maximum: 30,
  }),
  maxPerSecond: nullable(
    Type.Integer({
      description: 'Maximum attempts per second; null for no limit.',
      minimum: 1,
      maximum: 100,
    })
  ),
  asymmetric: flag('Whether attempts are also signed with `v1a` (Ed25519).'),
  publicKeys,
  status: enumOf(
    ENDPOINT_STATUSES,
    '`degraded` after ten consecutive failures; `disabled` gets no deliveries.'
  ),
  disabledReason: nullable(enumOf(DISABLED_REASONS, 'Why it is disabled; null unless it is.')),
  createdAt: instant('When it was created, in UTC.'),
  updatedAt: instant('When its settings or status last changed, in UTC.'),
}

export const WebhookEndpointEntity = entity(
  'WebhookEndpointEntity',
  'A URL that events are sent to.',
  endpointMembers
)
export type WebhookEndpointEntity = Static<typeof WebhookEndpointEntity>

const secret = (description: string) => Type.String({ description, pattern: '^whsec_' })

export const WebhookEndpointWithSecret = entity(
  'WebhookEndpointWithSecret',
  'A new endpoint, with the secret that signs its attempts.',
  { ...endpointMembers, secret: secret('Signs attempts (`whsec_…`); shown only once.') }
)

export const WebhookSecretRotation = entity(
  'WebhookSecretRotation',
  'The new secret of an endpoint, and its active keys.',
  {
    id: id('Id of the endpoint.'),
    secret: secret('The new secret; shown only once.'),
    publicKeys,
    keys: list(
      'Active keys, newest first.',
      object('A signing key.', {
        kind: enumOf(['v1', 'v1a'], '`v1` is HMAC-SHA256 with the secret, `v1a` is Ed25519.'),
        createdAt: instant('When it was created, in UTC.'),
        expiresAt: nullable(
          instant('When it stops signing, in UTC; null until a newer key replaces it.')
        ),
      }),
      10
    ),
  }
)

const deliveryMembers = {
  id: id('Id of the delivery.'),
  endpointId: id('Id of the endpoint.'),
  eventId: id('Id of the event: the `webhook-id` of every attempt.'),
  eventType: nonEmpty('Type of the event, or `ping`.', 64),
  sequence: nullable(
    Type.Integer({
      description: 'Number of the event within the organization; null for a ping.',
      minimum: 1,
    })
  ),
  appId: nullable(nonEmpty('Id of the app of the event; null for a ping.', 200)),
  status: enumOf(
    DELIVERY_STATUSES,
    '`pending` waits for an attempt, `held` for its endpoint; `expired` was held for 30 days.'
  ),
  attemptCount: count('Attempts made so far.'),
  nextAttemptAt: nullable(instant('When the next attempt is due, in UTC; null if none is.')),
  lastAttemptAt: nullable(
    instant('When the last attempt was made, in UTC; null before the first.')
  ),
  lastStatusCode: nullable(
    count('HTTP status of the last response; null if there was none.', { maximum: 999 })
  ),
  lastErrorClass: nullable(
    nonEmpty('`errorClass` of the last attempt; null if there is none.', 64)
  ),
  createdAt: instant('When it was created, in UTC.'),
  finishedAt: nullable(instant('When it succeeded or was given up, in UTC; null before.')),
}

export const WebhookDeliveryEntity = entity(
  'WebhookDeliveryEntity',
  'The delivery of an event to an endpoint.',
  deliveryMembers
)
export type WebhookDeliveryEntity = Static<typeof WebhookDeliveryEntity>

const milliseconds = (description: string) =>
  count(`Milliseconds from the start of the attempt until ${description}.`)

export const WebhookAttemptEntity = entity('WebhookAttemptEntity', 'An attempt of a delivery.', {
  number: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  kind: enumOf(ATTEMPT_KINDS, 'Reason for the attempt: schedule, probe or manual request.'),
  delivered: flag('Whether the receiver accepted it, with a status of 200 to 299.'),
  startedAt: instant('When it began, in UTC.'),
  url: nonEmpty('URL it was sent to; a query is shown as `?…`.', 2048),
  headerNames: list('Names of its custom headers.', nonEmpty('A name.', 100), 20),
  statusCode: nullable(count('HTTP status of the response; null without one.', { maximum: 999 })),
  errorClass: nullable(
    nonEmpty(
      'Why it got no response: `refused` by Tarmac, `dns`, `connectTimeout`, `timeout`, `connection`, `tls` or `protocol`; null otherwise.',
      64
    )
  ),
  errorMessage: nullable(text('Human-readable error; null if there is none.', 2000)),
  answerHeaders: Type.Record(Type.String(), Type.String(), {
    description: 'Stored headers of the response.',
  }),
  answerBody: text('The first 4 KiB of the response.', 4096),
  remoteAddress: nullable(text('IP address it was sent to; null if it did not get that far.', 64)),
  timings: object('Timing of the attempt.', {
    resolved: Type.Optional(milliseconds('the name was resolved')),
    connected: Type.Optional(milliseconds('it was connected')),
    answered: Type.Optional(milliseconds('the response began')),
    total: milliseconds('its end'),
  }),
})
export type WebhookAttemptEntity = Static<typeof WebhookAttemptEntity>

export const WebhookDeliveryDetail = entity(
  'WebhookDeliveryDetail',
  'A delivery with its payload and attempts.',
  {
    ...deliveryMembers,
    attempts: list('The last 100 attempts, newest first.', WebhookAttemptEntity, 100),
    payload: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The event as sent; null after 90 days.',
      })
    ),
  }
)

export const WebhookRecoveryEntity = entity(
  'WebhookRecoveryEntity',
  'A job that redelivers what an endpoint missed.',
  {
    id: id('Id of the recovery.'),
    endpointId: id('Id of the endpoint.'),
    since: instant('Events from this time on are examined, in UTC.'),
    status: enumOf(RECOVERY_STATUSES, '`canceled` if its endpoint was disabled in the meantime.'),
    examined: count('Number of events examined so far.'),
    recovered: count('Number of deliveries restarted.'),
    createdAt: instant('When it began, in UTC.'),
    finishedAt: nullable(instant('When it ended, in UTC; null while it runs.')),
  }
)
export type WebhookRecoveryEntity = Static<typeof WebhookRecoveryEntity>

const byStatus = Object.fromEntries(
  DELIVERY_STATUSES.map((status) => [status, count(`Number of \`${status}\` deliveries.`)])
) as Record<DeliveryStatus, ReturnType<typeof count>>

export const WebhookStatistics = entity(
  'WebhookStatistics',
  'Delivery statistics and health of an endpoint.',
  {
    since: instant('Start of the period, seven days ago, in UTC.'),
    deliveries: object('Deliveries created since then, by status.', byStatus),
    attempts: count('Number of attempts of these deliveries.'),
    deliveredAttempts: count('Number of successful attempts.'),
    hours: list(
      'The same by hour, oldest first; hours without attempts are omitted.',
      object('Attempts in an hour.', {
        startsAt: instant('Start of the hour, in UTC.'),
        delivered: count('Number of successful attempts.'),
        failed: count('Number of failed attempts.'),
      }),
      200
    ),
    failuresInARow: count('Failed attempts since the last success, whenever it was.'),
    failingSince: nullable(
      instant('When the first of these failed, in UTC; null if there is none.')
    ),
    lastSuccessAt: nullable(instant('When an attempt last succeeded, in UTC; null if never.')),
    disablesAt: nullable(
      instant('When it will be disabled if no attempt succeeds, in UTC; null unless `degraded`.')
    ),
  }
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const WebhookEventTypeEntity = entity(
  'WebhookEventTypeEntity',
  'An event that endpoints can subscribe to.',
  {
    type: nonEmpty('Name of the event.', 64),
    summary: nonEmpty('Short summary.', 100),
    description: nonEmpty('Exactly when it is sent.', 1000),
    platforms: nonEmpty('The platforms it applies to, as the specification lists them.', 64),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Example payload.',
    }),
  }
)

/** The payload of any event, full or thin, as the feed lists it. */
export const AnyWebhookPayload = deferred<Record<string, unknown>>(() =>
  anyPayload(eventCatalog.payloads())
)
