import type { WebhookRecoveryEntity } from '#webhooks/entities'
import { addresses, addressOf } from '../addresses.js'
import {
  FORGET,
  instantIn,
  isTicked,
  isUntouched,
  listIn,
  numberIn,
  textOf,
} from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import type { Delivery, Endpoint } from './answers.js'
import {
  deleteWebhookPage,
  deliveryPage,
  editWebhookPage,
  madeWebhookPage,
  newWebhookPage,
  rotatedWebhookPage,
  rotateWebhookPage,
  webhookPage,
} from './page.js'
import { ALL, HEADERS } from './words.js'

type Params = Record<string, string>

const ofOrg = ({ orgId }: Params) => ({ orgId })
const ofEndpoint = ({ orgId, endpointId }: Params) => ({ orgId, endpointId })
const ofDelivery = ({ orgId, endpointId, deliveryId }: Params) => ({
  orgId,
  endpointId,
  deliveryId,
})

/** Returns the chosen values; null for none, which means all. */
function anyIn(fields: Fields, name: string): string[] | null {
  const chosen = listIn(fields, name)
  return chosen.length > 0 ? chosen : null
}

/** Returns the chosen apps, unless they are unchanged: one that was deleted would be refused. */
function appsIn(fields: Fields) {
  if (isUntouched(fields, 'appIds')) return {}
  const chosen = listIn(fields, 'appIds')
  return { appIds: chosen.length === 1 && chosen[0] === ALL ? null : chosen }
}

/**
 * Reads the headers, one per line: a name, a colon, a value. Null for none. A line without a colon
 * gets an empty name: it may be a secret, and error messages show names.
 */
function headersIn(fields: Fields): Record<string, string> | null {
  const lines = (textOf(fields, HEADERS) ?? '').split('\n').map((line) => line.trim())
  const headers = lines.filter(Boolean).map((line) => {
    const [name, ...value] = line.includes(':') ? line.split(':') : ['', line]
    return [name.trim(), value.join(':').trim()]
  })
  return headers.length > 0 ? Object.fromEntries(headers) : null
}

/** Reads the settings that the forms for new and existing endpoints share. */
const settingsIn = (fields: Fields) => ({
  url: textOf(fields, 'url') ?? '',
  description: textOf(fields, 'description'),
  events: listIn(fields, 'events'),
  ...appsIn(fields),
  platforms: anyIn(fields, 'platforms'),
  timeoutSeconds: numberIn(fields, 'timeoutSeconds') ?? undefined,
  maxPerSecond: numberIn(fields, 'maxPerSecond'),
  asymmetric: isTicked(fields, 'asymmetric'),
})

/** Creates an endpoint, and shows its secret once. */
export const newWebhookForm = form({
  path: addresses.webhooks,
  operation: 'createWebhookEndpoint',
  makes: true,
  secrets: [HEADERS],
  request: ({ params, fields }) => ({
    params: ofOrg(params),
    body: { ...settingsIn(fields), headers: headersIn(fields) },
  }),
  shownOn: { page: newWebhookPage },
  shows: madeWebhookPage,
})

/** Changes an endpoint. Keeps the stored headers if none are typed. */
export const editWebhookForm = form({
  path: addresses.editWebhook,
  operation: 'updateWebhookEndpoint',
  secrets: [HEADERS],
  request({ params, fields }) {
    const typed = headersIn(fields)
    const headers = typed ?? (listIn(fields, FORGET).includes(HEADERS) ? null : undefined)
    return { params: ofEndpoint(params), body: { ...settingsIn(fields), headers } }
  },
  shownOn: { page: editWebhookPage, params: ofEndpoint },
  done: ({ params }) => ({
    to: addressOf(addresses.webhook, params),
    said: 'Changed the endpoint.',
  }),
})

/** Enables or disables an endpoint. */
export const enableWebhookForm = form({
  path: addresses.enableWebhook,
  operation: 'updateWebhookEndpoint',
  request: ({ params, fields }) => ({
    params: ofEndpoint(params),
    body: { enabled: textOf(fields, 'enabled') === 'true' },
  }),
  shownOn: { page: webhookPage, params: ofEndpoint },
  done: ({ answer }) => ({
    said:
      (answer as Endpoint).status === 'disabled'
        ? 'Disabled. What happens from now on is not sent.'
        : 'Enabled. To send what it missed, start a recovery.',
  }),
})

/** Rotates the secret of an endpoint, and shows the new one once. */
export const rotateWebhookForm = form({
  path: addresses.rotateWebhook,
  operation: 'rotateWebhookSecret',
  makes: true,
  request: ({ params, fields }) => ({
    params: ofEndpoint(params),
    body: { graceHours: numberIn(fields, 'graceHours') ?? undefined },
  }),
  shownOn: { page: rotateWebhookPage, params: ofEndpoint },
  shows: rotatedWebhookPage,
})

/** Deletes an endpoint. */
export const deleteWebhookForm = form({
  path: addresses.deleteWebhook,
  operation: 'deleteWebhookEndpoint',
  request: ({ params }) => ({ params: ofEndpoint(params) }),
  shownOn: { page: deleteWebhookPage, params: ofEndpoint },
  done: ({ params }) => ({
    to: addressOf(addresses.webhooks, params),
    said: 'Deleted the endpoint.',
  }),
})

const toDelivery = ({ orgId }: Params, answer: unknown) => {
  const { id: deliveryId, endpointId } = answer as Delivery
  return addressOf(addresses.delivery, { orgId, endpointId, deliveryId })
}

/** Sends a test message. */
export const pingWebhookForm = form({
  path: addresses.pingWebhook,
  operation: 'pingWebhookEndpoint',
  request: ({ params, fields }) => ({
    params: ofEndpoint(params),
    body: { eventType: textOf(fields, 'eventType') ?? undefined },
  }),
  shownOn: { page: webhookPage, params: ofEndpoint },
  done: ({ params, answer }) => ({
    to: toDelivery(params, answer),
    said: 'The test message is on its way.',
  }),
})

/** Sends a delivery again. */
export const redeliverForm = form({
  path: addresses.redeliver,
  operation: 'redeliverWebhook',
  request: ({ params }) => ({ params: ofDelivery(params) }),
  shownOn: { page: deliveryPage, params: ofDelivery },
  done: () => ({ said: 'It is being sent again.' }),
})

/** Sends what an endpoint missed since an instant. */
export const recoverWebhookForm = form({
  path: addresses.recoverWebhook,
  operation: 'recoverWebhooks',
  requires: { operation: 'getWebhookEndpoint', params: ofEndpoint },
  request: ({ params, fields, zone }) => ({
    params: ofEndpoint(params),
    body: { since: instantIn(fields, 'since', zone) ?? '' },
  }),
  shownOn: { page: webhookPage, params: ofEndpoint },
  done({ params, answer }) {
    const { id: recoveryId } = answer as WebhookRecoveryEntity
    return { to: addressOf(addresses.recovery, { ...ofEndpoint(params), recoveryId }) }
  },
})
