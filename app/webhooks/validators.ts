import vine from '@vinejs/vine'
import { APP_PLATFORMS } from '#apps/vocabulary'
import {
  anyText,
  dateTime,
  oneOf,
  oneOfRegistered,
  describedAs,
  jsonSchema,
  text,
  boolean,
  integer,
} from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MAX_CUSTOM_HEADERS, MAX_HEADER_VALUE } from '#webhooks/custom_headers'
import { eventNames } from '#webhooks/event_names'
import { MAX_GRACE_HOURS } from '#webhooks/keys'
import { DELIVERY_STATUSES } from '#webhooks/vocabulary'
import { MAX_TIMEOUT_SECONDS } from '#webhooks/retry_schedule'
import { EVERY_EVENT } from '#webhooks/subscription'

const url = () =>
  text(2048)
    .use(jsonSchema({ format: 'uri' }))
    .use(
      describedAs(
        'URL to send to: https on port 443 or 8443; a service on loopback also allows loopback.'
      )
    )
const events = () =>
  vine
    .array(oneOfRegistered(() => [EVERY_EVENT, ...eventNames()]))
    .minLength(1)
    .maxLength(100)
    .distinct()

const settings = {
  description: anyText(500).nullable().optional(),
  events: events().optional(),
  appIds: vine.array(text(100)).minLength(1).maxLength(200).distinct().nullable().optional(),
  platforms: vine
    .array(oneOf(APP_PLATFORMS))
    .minLength(1)
    .maxLength(APP_PLATFORMS.length)
    .distinct()
    .nullable()
    .optional(),
  headers: vine
    .record(anyText(MAX_HEADER_VALUE))
    .use(
      describedAs(
        'Custom headers of every attempt, by name; null for none. Replaces existing ones.'
      )
    )
    .use(jsonSchema({ maxProperties: MAX_CUSTOM_HEADERS }))
    .nullable()
    .optional(),
  timeoutSeconds: integer(5, MAX_TIMEOUT_SECONDS).optional(),
  maxPerSecond: integer(1, 100).nullable().optional(),
  asymmetric: boolean().optional(),
}

export const createEndpoint = vine.create({ url: url(), ...settings })
export const updateEndpoint = vine.create({
  url: url().optional(),
  enabled: boolean()
    .use(describedAs('False disables the endpoint; true enables it and resets its health.'))
    .optional(),
  ...settings,
})
export const rotateSecret = vine.create({
  graceHours: integer(0, MAX_GRACE_HOURS)
    .use(describedAs('Hours that previous keys still sign; 24 by default, 0 ends them at once.'))
    .optional(),
})
export const pingEndpoint = vine.create({
  eventType: oneOfRegistered(eventNames)
    .use(describedAs('Event type to send the example of; absent for a plain `ping`.'))
    .optional(),
})
export const recoverDeliveries = vine.create({
  since: dateTime().use(
    describedAs('Start time of the events, as an RFC 3339 date-time with any offset.')
  ),
})
export const listDeliveries = vine.create({
  ...pageInput,
  status: oneOf(DELIVERY_STATUSES).use(describedAs('Only deliveries with this status.')).optional(),
  eventType: oneOfRegistered(eventNames)
    .use(describedAs('Only deliveries of this event, or `ping`.'))
    .optional(),
  createdAfter: dateTime().use(describedAs('Only deliveries created after this time.')).optional(),
  createdBefore: dateTime()
    .use(describedAs('Only deliveries created before this time.'))
    .optional(),
})
export const listEvents = vine.create({
  ...pageInput,
  after: vine
    .number()
    .withoutDecimals()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .use(describedAs('Only events with a higher `sequence`; absent for all that are stored.'))
    .optional(),
  eventType: oneOfRegistered(eventNames).use(describedAs('Only events of this type.')).optional(),
})
