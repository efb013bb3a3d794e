import { deliveryExample, endpointExample, recoveryExample } from './examples.js'
import type { Module } from '#foundation/api/module'
import { retain } from './chores.js'
import { holdsDeliveries } from './delivery/claimed_deliveries.js'
import { problems } from './problems.js'
import { operations } from './routes.js'

/** Endpoints that receive events, and deliveries to them. */
export const webhooks: Module = {
  name: 'webhooks',
  operations,
  problems,
  parameters: {
    endpointId: { description: 'Id of the webhook endpoint.', example: endpointExample.id },
    deliveryId: { description: 'Id of the delivery.', example: deliveryExample.id },
    recoveryId: { description: 'Id of the recovery.', example: recoveryExample.id },
  },
  tags: { Webhooks: 'Webhook endpoints and event deliveries.' },
  extensions: [holdsDeliveries],
  work: [retain],
  commands: () => import('./commands.js'),
}
