import type { WebhookRecoveryEntity, WebhookStatistics } from '#webhooks/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { NamedApp } from '../keys/answers.js'
import type { PageOf } from '../release/answers.js'
import type {
  Delivery,
  DeliveryDetail,
  Endpoint,
  EndpointFormAnswers,
  EventType,
  MadeEndpoint,
  Rotated,
} from './answers.js'
import { deliveryView, recoveryView } from './delivery.view.js'
import { endpointView, filterIn } from './endpoint.view.js'
import {
  deleteEndpointView,
  endpointFormView,
  madeEndpointView,
  rotatedSecretView,
  rotateSecretView,
} from './forms.view.js'
import { endpointsView } from './list.view.js'

/** The maximum number of deliveries on a page. */
const MAX_DELIVERIES = '25'

const ofOrg = ({ orgId }: Record<string, string>) => ({ params: { orgId } })
const ofEndpoint = ({ orgId, endpointId }: Record<string, string>) => ({
  params: { orgId, endpointId },
})

const appsOf = async ({ ask, params }: PageCall) =>
  (await ask<NamedApp[]>('listApps', ofOrg(params))).body

const endpointOf = ({ ask, params }: PageCall) =>
  ask<Endpoint>('getWebhookEndpoint', ofEndpoint(params))

/** Reads the choices that the endpoint form offers. */
async function formChoices(call: PageCall): Promise<Pick<EndpointFormAnswers, 'apps' | 'types'>> {
  const types = call.ask<EventType[]>('listWebhookEventTypes', ofOrg(call.params))
  return { apps: await appsOf(call), types: (await types).body }
}

/** The endpoints of an organization. */
export const webhooksPage = page({
  path: addresses.webhooks,
  template: 'webhooks/list',
  async read(call) {
    const endpoints = await call.ask<Endpoint[]>('listWebhookEndpoints', ofOrg(call.params))
    return { endpoints: endpoints.body, apps: await appsOf(call) }
  },
  view: endpointsView,
})

/** The form that creates an endpoint. */
export const newWebhookPage = page({
  path: addresses.newWebhook,
  template: 'webhooks/form',
  async read(call) {
    // Refuses readers who may not list endpoints, because they may not create one either.
    await call.ask('listWebhookEndpoints', ofOrg(call.params))
    return { endpoint: null, tag: null, ...(await formChoices(call)) }
  },
  view: endpointFormView,
})

/** An endpoint that was just created, with its secret. */
export const madeWebhookPage = page({
  path: addresses.webhooks,
  template: 'webhooks/secret',
  read: async ({ answer }) => answer as MadeEndpoint,
  view: madeEndpointView,
})

/** An endpoint with its deliveries. */
export const webhookPage = page({
  path: addresses.webhook,
  template: 'webhooks/endpoint',
  async read(call) {
    const { ask, params, query } = call
    const endpointParams = ofEndpoint(params)
    const { body: endpoint, etag: tag } = await endpointOf(call)
    const choices = await formChoices(call)
    const { status, event: eventType } = filterIn(query, choices.types)
    const filter = { limit: MAX_DELIVERIES, status, eventType, cursor: query.cursor }
    const [statistics, deliveries] = await Promise.all([
      ask<WebhookStatistics>('getWebhookStatistics', endpointParams),
      ask<PageOf<Delivery>>('listWebhookDeliveries', { ...endpointParams, query: filter }),
    ])
    const { data, pagination } = deliveries.body
    const { nextCursor } = pagination
    return { ...choices, endpoint, tag, statistics: statistics.body, deliveries: data, nextCursor }
  },
  view: endpointView,
})

/** The form that changes an endpoint. */
export const editWebhookPage = page({
  path: addresses.editWebhook,
  template: 'webhooks/form',
  async read(call) {
    const { body: endpoint, etag: tag } = await endpointOf(call)
    return { endpoint, tag, ...(await formChoices(call)) }
  },
  view: endpointFormView,
})

/** The form that rotates the secret of an endpoint. */
export const rotateWebhookPage = page({
  path: addresses.rotateWebhook,
  template: 'webhooks/rotate',
  read: async (call) => (await endpointOf(call)).body,
  view: rotateSecretView,
})

/** The new secret of an endpoint. */
export const rotatedWebhookPage = page({
  path: addresses.rotateWebhook,
  template: 'webhooks/secret',
  read: async (call) => ({
    rotated: call.answer as Rotated,
    endpoint: (await endpointOf(call)).body,
  }),
  view: rotatedSecretView,
})

/** The confirmation before an endpoint is deleted. */
export const deleteWebhookPage = page({
  path: addresses.deleteWebhook,
  template: 'components/question_page',
  async read(call) {
    const { body: endpoint, etag: tag } = await endpointOf(call)
    return { endpoint, tag }
  },
  view: deleteEndpointView,
})

/** A delivery with its attempts. */
export const deliveryPage = page({
  path: addresses.delivery,
  template: 'webhooks/delivery',
  async read(call) {
    const { orgId, endpointId, deliveryId } = call.params
    const params = { orgId, endpointId, deliveryId }
    const { body: endpoint } = await endpointOf(call)
    const { body: delivery } = await call.ask<DeliveryDetail>('getWebhookDelivery', { params })
    return { endpoint, delivery }
  },
  view: deliveryView,
})

/** The progress of a recovery. */
export const recoveryPage = page({
  path: addresses.recovery,
  template: 'webhooks/recovery',
  async read(call) {
    const { orgId, endpointId, recoveryId } = call.params
    const params = { orgId, endpointId, recoveryId }
    await endpointOf(call)
    return (await call.ask<WebhookRecoveryEntity>('getWebhookRecovery', { params })).body
  },
  view: recoveryView,
})
