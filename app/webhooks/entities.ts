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
  words,
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
  nonEmpty('An Ed25519 key, `whpk_` and base64.', 200),
  5
)

const endpointMembers = {
  id: id('Id of the endpoint.'),
  orgId: id('Id of the organization.'),
  url: nonEmpty('Address that events are sent to.', 2048),
  description: nullable(text('What it is for; null without words.', 500)),
  events: list(
    'The events it gets, or `*` alone for all.',
    nonEmpty('Name of an event, or `*`.', 64),
    100
  ),
  appIds: nullable(
    list('The apps whose events it gets; null for all.', nonEmpty('Id of an app.', 200), 200)
  ),
  platforms: nullable(
    list(
      'The platforms whose events it gets; null for all.',
      words(APP_PLATFORMS, 'A platform.'),
      APP_PLATFORMS.length
    )
  ),
  headerNames: list(
    'Names of the custom headers; their values are never shown again.',
    nonEmpty('Name of a header, in lower case.', 100),
    20
  ),
  timeoutSeconds: Type.Integer({
    description: 'Seconds an attempt may take; 15 by default.',
    minimum: 5,
    maximum: 30,
  }),
  maxPerSecond: nullable(
    Type.Integer({
      description: 'Most attempts a second; null for as many as there are.',
      minimum: 1,
      maximum: 100,
    })
  ),
  asymmetric: flag('Whether attempts are signed with `v1a` (Ed25519) too.'),
  publicKeys,
  status: words(
    ENDPOINT_STATUSES,
    '`degraded` after ten failures in a row, `disabled` takes no deliveries.'
  ),
  disabledReason: nullable(words(DISABLED_REASONS, 'Why it is disabled; null unless it is.')),
  createdAt: instant('When it was made, in UTC.'),
  updatedAt: instant('When its settings or status last changed, in UTC.'),
}

export const WebhookEndpointEntity = entity(
  'WebhookEndpointEntity',
  'An address that events are sent to.',
  endpointMembers
)
export type WebhookEndpointEntity = Static<typeof WebhookEndpointEntity>

const secret = (description: string) => Type.String({ description, pattern: '^whsec_' })

export const WebhookEndpointWithSecret = entity(
  'WebhookEndpointWithSecret',
  'A new endpoint, with the secret that signs its attempts.',
  { ...endpointMembers, secret: secret('Signs attempts (`whsec_…`); shown this once.') }
)

export const WebhookSecretRotation = entity(
  'WebhookSecretRotation',
  'The new secret of an endpoint, and the keys that sign now.',
  {
    id: id('Id of the endpoint.'),
    secret: secret('The new secret; shown this once.'),
    publicKeys,
    keys: list(
      'All keys that sign now, newest first.',
      object('A key that signs.', {
        kind: words(['v1', 'v1a'], '`v1` is HMAC-SHA256 with the secret, `v1a` is Ed25519.'),
        createdAt: instant('When it was made, in UTC.'),
        expiresAt: nullable(
          instant('When it stops signing, in UTC; null while no newer key replaces it.')
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
  status: words(
    DELIVERY_STATUSES,
    '`pending` waits for an attempt, `held` for its endpoint, `expired` was held for 30 days.'
  ),
  attemptCount: count('Attempts made so far.'),
  nextAttemptAt: nullable(instant('When it is next attempted, in UTC; null when it is not.')),
  lastAttemptAt: nullable(instant('When it was last attempted, in UTC; null before the first.')),
  lastStatusCode: nullable(
    count('HTTP status of the last answer; null without an answer.', { maximum: 999 })
  ),
  lastErrorClass: nullable(
    nonEmpty('Why the last attempt got no answer, as `errorClass` says; null otherwise.', 64)
  ),
  createdAt: instant('When it was made, in UTC.'),
  finishedAt: nullable(instant('When it ended, for better or worse, in UTC; null before.')),
}

export const WebhookDeliveryEntity = entity(
  'WebhookDeliveryEntity',
  'One event on its way to one endpoint.',
  deliveryMembers
)
export type WebhookDeliveryEntity = Static<typeof WebhookDeliveryEntity>

const milliseconds = (description: string) =>
  count(`Milliseconds from the start of the attempt until ${description}.`)

export const WebhookAttemptEntity = entity('WebhookAttemptEntity', 'One try of a delivery.', {
  number: Type.Integer({ description: 'Number of the attempt, from 1.', minimum: 1 }),
  kind: words(ATTEMPT_KINDS, 'Why it was made: on schedule, as a probe, or by hand.'),
  delivered: flag('Whether the receiver took it, with a status of 200 to 299.'),
  startedAt: instant('When it began, in UTC.'),
  url: nonEmpty('The address that it was sent to; a query is shown as `?…`.', 2048),
  headerNames: list('Names of its custom headers.', nonEmpty('A name.', 100), 20),
  statusCode: nullable(count('HTTP status of the answer; null without one.', { maximum: 999 })),
  errorClass: nullable(
    nonEmpty(
      'Why it got no answer: `refused` here, `dns`, `connectTimeout`, `timeout`, `connection`, `tls` or `protocol`; null otherwise.',
      64
    )
  ),
  errorMessage: nullable(text('The same, for people; null otherwise.', 2000)),
  answerHeaders: Type.Record(Type.String(), Type.String(), {
    description: 'Headers of the answer, as far as they are kept.',
  }),
  answerBody: text('The first 4 KiB of the answer.', 4096),
  remoteAddress: nullable(text('The IP address it went to; null if it did not get that far.', 64)),
  timings: object('Where the time went.', {
    resolved: Type.Optional(milliseconds('the name was resolved')),
    connected: Type.Optional(milliseconds('the connection stood')),
    answered: Type.Optional(milliseconds('the answer began')),
    total: milliseconds('its end'),
  }),
})
export type WebhookAttemptEntity = Static<typeof WebhookAttemptEntity>

export const WebhookDeliveryDetail = entity(
  'WebhookDeliveryDetail',
  'A delivery with what it sends and what came of it.',
  {
    ...deliveryMembers,
    attempts: list('The last 100 attempts, newest first.', WebhookAttemptEntity, 100),
    payload: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The event as it is sent; null after 90 days.',
      })
    ),
  }
)

export const WebhookRecoveryEntity = entity(
  'WebhookRecoveryEntity',
  'A job that delivers anew what an endpoint missed.',
  {
    id: id('Id of the recovery.'),
    endpointId: id('Id of the endpoint.'),
    since: instant('Events from this time on are looked at, in UTC.'),
    status: words(RECOVERY_STATUSES, '`canceled` when its endpoint was disabled meanwhile.'),
    examined: count('Events looked at so far.'),
    recovered: count('Deliveries that start anew.'),
    createdAt: instant('When it began, in UTC.'),
    finishedAt: nullable(instant('When it ended, in UTC; null while it runs.')),
  }
)
export type WebhookRecoveryEntity = Static<typeof WebhookRecoveryEntity>

const byStatus = Object.fromEntries(
  DELIVERY_STATUSES.map((status) => [status, count(`Deliveries that are \`${status}\`.`)])
) as Record<DeliveryStatus, ReturnType<typeof count>>

export const WebhookStatistics = entity(
  'WebhookStatistics',
  'What came of the deliveries of an endpoint, and its health.',
  {
    since: instant('Begin of what is counted, seven days ago, in UTC.'),
    deliveries: object('Its deliveries since then, by status.', byStatus),
    attempts: count('Attempts since then.'),
    deliveredAttempts: count('Those of them that the receiver took.'),
    hours: list(
      'The same by the hour, the oldest first; hours without an attempt are left out.',
      object('Attempts of an hour.', {
        startsAt: instant('When the hour begins, in UTC.'),
        delivered: count('Those that the receiver took.'),
        failed: count('The others.'),
      }),
      200
    ),
    failuresInARow: count('Failed attempts since the last success, whenever that was.'),
    failingSince: nullable(instant('When the first of those was, in UTC; null without any.')),
    lastSuccessAt: nullable(instant('When an attempt last succeeded, in UTC; null for never.')),
    disablesAt: nullable(
      instant('When it is disabled if nothing succeeds, in UTC; null while it does not fail.')
    ),
  }
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const WebhookEventTypeEntity = entity(
  'WebhookEventTypeEntity',
  'An event that endpoints can subscribe to.',
  {
    type: nonEmpty('Name of the event.', 64),
    summary: nonEmpty('What it is about, in a few words.', 100),
    description: nonEmpty('Exactly when it is sent.', 1000),
    platforms: nonEmpty('The platforms it applies to, as the specification lists them.', 64),
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'An example of what is sent.',
    }),
  }
)

/** The payload of any event, full or thin, as the feed lists it. */
export const AnyWebhookPayload = deferred<Record<string, unknown>>(() =>
  anyPayload(eventCatalog.payloads())
)
