import type { DisabledReason } from '#webhooks/vocabulary'
import { platformName, type NameOfApp } from '../words/names.js'
import { counted } from '../words/numbers.js'
import type { StatusWords } from '../words/statuses.js'
import type { Delivery, DeliveryDetail, Endpoint } from './answers.js'

/** The value that means all events, or all apps. */
export const ALL = '*'

/** The field of the headers, whose values are secret. */
export const HEADERS = 'headers'

/** Seconds between polls, as results of attempts do not raise the organization's change number. */
export const POLL_SECONDS = 4

export const ENDPOINT_STATUSES: Readonly<Record<string, StatusWords>> = {
  active: { word: 'Works', icon: 'circle-check', colour: 'green' },
  degraded: { word: 'Keeps failing', icon: 'octagon-alert', colour: 'amber' },
  disabled: { word: 'Disabled', icon: 'circle-slash', colour: 'red' },
}

export const DELIVERY_STATUSES: Readonly<Record<string, StatusWords>> = {
  pending: { word: 'Waiting', icon: 'hourglass', colour: 'hint' },
  succeeded: { word: 'Delivered', icon: 'circle-check', colour: 'green' },
  failed: { word: 'Failed', icon: 'circle-x', colour: 'red' },
  held: { word: 'Held', icon: 'pause', colour: 'amber' },
  expired: { word: 'Expired', icon: 'clock', colour: 'hint' },
}

/** Explanations why an endpoint is disabled. */
export const DISABLED_REASONS: Readonly<Record<DisabledReason, string>> = {
  byUser: 'Somebody disabled it.',
  gone: 'It responded that it is gone (410).',
  askedByReceiver: 'It asked for no more deliveries.',
  noSuccessForFiveDays: 'It accepted nothing for five days.',
  secretUnreadable: 'Its secrets can no longer be read. Create a new endpoint to replace it.',
}

const ATTEMPT_KINDS: Readonly<Record<string, string>> = {
  first: 'on schedule',
  retry: 'retried on schedule',
  probe: 'as a probe',
  manual: 'by hand',
}

/** Reasons why an attempt got no answer. */
const ERRORS: Readonly<Record<string, string>> = {
  refused: 'Not sent: the service may not connect to this address',
  dns: 'Its host name does not resolve',
  connectTimeout: 'Connecting timed out',
  timeout: 'Waiting for the response timed out',
  connection: 'The connection broke',
  tls: 'TLS failed',
  protocol: 'The response is not HTTP',
}

/** Describes the result of an attempt: its status, or why it got none. */
export const outcomeText = (statusCode: number | null, errorClass: string | null): string =>
  statusCode === null ? (ERRORS[errorClass ?? ''] ?? 'No answer') : `Answered ${statusCode}`

/** Describes the number of attempts of a delivery, and the last result. */
export function triedText({ attemptCount, ...last }: Delivery): string {
  if (attemptCount === 0) return 'Not tried yet'
  const outcome = outcomeText(last.lastStatusCode, last.lastErrorClass)
  return `${counted(attemptCount, 'attempt')} · ${outcome}`
}

/** Describes an attempt by its number and reason. */
export const attemptTitle = ({ number, kind }: DeliveryDetail['attempts'][number]): string =>
  `Attempt ${number}, ${ATTEMPT_KINDS[kind] ?? kind}`

/** The maximum number of events that a row names. */
const MAX_NAMED = 3

/** Describes which events an endpoint gets. */
export function eventsText({ events }: Pick<Endpoint, 'events'>): string {
  if (events.includes(ALL)) return 'All events'
  return events.length > MAX_NAMED ? counted(events.length, 'event') : events.join(', ')
}

/** Describes the apps and platforms whose events an endpoint gets. */
export function filterText(
  { appIds, platforms }: Pick<Endpoint, 'appIds' | 'platforms'>,
  nameOf: NameOfApp
): string {
  const apps = appIds ? appIds.map(nameOf).join(', ') : 'all apps'
  return platforms ? `${apps} on ${platforms.map(platformName).join(', ')}` : apps
}
