import vine from '@vinejs/vine'
import { APP_PLATFORMS } from '#apps/vocabulary'
import {
  anyText,
  dateTime,
  oneOf,
  oneOfRegistered,
  shownAs,
  text,
  boolean,
  integer,
} from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { MAX_CUSTOM_HEADERS, MAX_HEADER_VALUE } from '#webhooks/custom_headers'
import { eventNames } from '#webhooks/event_names'
import { MAX_GRACE_HOURS } from '#webhooks/keys'
import { DELIVERY_STATUSES } from '#webhooks/vocabulary'
import { LONGEST_TIMEOUT_SECONDS } from '#webhooks/schedule'
import { EVERY_EVENT } from '#webhooks/subscription'

const url = () => text(2048)
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
    .use(shownAs({ maxProperties: MAX_CUSTOM_HEADERS }))
    .nullable()
    .optional(),
  timeoutSeconds: integer(5, LONGEST_TIMEOUT_SECONDS).optional(),
  maxPerSecond: integer(1, 100).nullable().optional(),
  asymmetric: boolean().optional(),
}

export const createEndpoint = vine.create({ url: url(), ...settings })
export const updateEndpoint = vine.create({
  url: url().optional(),
  enabled: boolean().optional(),
  ...settings,
})
export const rotateSecret = vine.create({ graceHours: integer(0, MAX_GRACE_HOURS).optional() })
export const pingEndpoint = vine.create({ eventType: oneOfRegistered(eventNames).optional() })
export const recoverDeliveries = vine.create({ since: dateTime() })
export const listDeliveries = vine.create({
  ...pageInput,
  status: oneOf(DELIVERY_STATUSES).optional(),
  eventType: text(64).optional(),
  createdAfter: dateTime().optional(),
  createdBefore: dateTime().optional(),
})
export const listEvents = vine.create({
  ...pageInput,
  after: vine.number().withoutDecimals().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  eventType: oneOfRegistered(eventNames).optional(),
})
