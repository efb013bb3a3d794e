import { admin, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import {
  WebhookDeliveryDetail,
  WebhookDeliveryEntity,
  WebhookRecoveryEntity,
} from '#webhooks/entities'
import { deliveryDetailExample, deliveryExample, recoveryExample } from '#webhooks/examples'
import * as validators from '#webhooks/validators'
import { twoSteps } from '#foundation/api/operation/steps'

const deliveries = lazyController(
  async () =>
    new (await import('#webhooks/controllers/deliveries_controller')).DeliveriesController()
)
const one = '/org/{orgId}/webhookEndpoint/{endpointId}'
const shared = { tag: 'Webhooks', beyond: true, access: admin } as const

export const deliveryOperations = [
  operation({
    ...shared,
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: `${one}/delivery`,
    summary: 'List the deliveries of an endpoint',
    description:
      'Returns a page of past and pending deliveries, newest first. `held` are those that a degraded or disabled endpoint cannot receive.',
    query: validators.listDeliveries,
    responses: {
      200: {
        description: 'A page of deliveries.',
        schema: pageOf(WebhookDeliveryEntity),
        example: {
          data: [deliveryExample],
          pagination: { limit: 50, hasMore: false, nextCursor: null },
        },
      },
    },
    handle: (call) => deliveries.index(call),
  }),
  operation({
    ...shared,
    id: 'getWebhookDelivery',
    method: 'GET',
    path: `${one}/delivery/{deliveryId}`,
    summary: 'Get a delivery with its attempts',
    description: 'Returns a delivery with its payload and its last 100 attempts.',
    responses: {
      200: {
        description: 'The delivery.',
        schema: WebhookDeliveryDetail,
        example: deliveryDetailExample,
      },
    },
    handle: (call) => deliveries.show(call),
  }),
  operation({
    ...shared,
    id: 'redeliverWebhook',
    callsOthers: true,
    steps: twoSteps('sends to an outside address, even if the endpoint is disabled'),
    method: 'POST',
    path: `${one}/delivery/{deliveryId}/redeliver`,
    summary: 'Send a delivery once more',
    description:
      'Makes one more attempt with the same id, a new timestamp and the current signing secrets, even to a disabled endpoint. It affects neither the schedule nor the health.',
    responses: {
      202: {
        description: 'The delivery, to be attempted next.',
        schema: WebhookDeliveryEntity,
        example: deliveryExample,
      },
    },
    handle: (call) => deliveries.redeliver(call),
  }),
  operation({
    ...shared,
    id: 'recoverWebhooks',
    callsOthers: true,
    steps: twoSteps('sends everything that was missed to an outside address'),
    method: 'POST',
    path: `${one}/recover`,
    summary: 'Recover what an endpoint missed since a time',
    description:
      'Starts a job that redelivers every event since then that the endpoint subscribes to and has not received: failed, held, expired, or never sent because it was disabled. Events from before the endpoint was created are not sent.',
    body: {
      kind: 'json',
      name: 'WebhookRecoveryRequest',
      description: 'Start time of the recovery.',
      validator: validators.recoverDeliveries,
      example: { since: recoveryExample.since },
    },
    responses: {
      202: {
        description: 'The recovery, with its progress.',
        schema: WebhookRecoveryEntity,
        example: recoveryExample,
      },
    },
    handle: (call) => deliveries.recover(call),
  }),
  operation({
    ...shared,
    id: 'getWebhookRecovery',
    method: 'GET',
    path: `${one}/recovery/{recoveryId}`,
    summary: 'Get the progress of a recovery',
    description: 'Returns the progress of a recovery.',
    responses: {
      200: {
        description: 'The recovery.',
        schema: WebhookRecoveryEntity,
        example: recoveryExample,
      },
    },
    handle: (call) => deliveries.recovery(call),
  }),
]
