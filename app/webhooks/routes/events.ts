import { admin, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf, list } from '#foundation/core/schemas'
import { AnyWebhookPayload, WebhookEventTypeEntity } from '#webhooks/entities'
import { eventTypesExample, feedExample } from '#webhooks/examples'
import * as validators from '#webhooks/validators'

const events = lazyController(
  async () => new (await import('#webhooks/controllers/events_controller')).EventsController()
)

export const eventOperations = [
  operation({
    id: 'listWebhookEvents',
    method: 'GET',
    path: '/org/{orgId}/webhookEvent',
    tag: 'Webhooks',
    beyond: true,
    access: admin,
    summary: 'Pull events by sequence',
    description:
      'Returns the events of the last 90 days by sequence, with their webhook payloads, whether or not an endpoint existed. To close a gap, pass the last known sequence as `after`.',
    query: validators.listEvents,
    responses: {
      200: {
        description: 'A page of events.',
        schema: pageOf(AnyWebhookPayload),
        example: feedExample,
      },
    },
    handle: (call) => events.index(call),
  }),
  operation({
    id: 'listWebhookEventTypes',
    method: 'GET',
    path: '/org/{orgId}/webhookEventType',
    tag: 'Webhooks',
    beyond: true,
    access: read,
    summary: 'List event types with an example each',
    description: 'Returns all event types, when they fire and an example payload of each.',
    responses: {
      200: {
        description: 'The event types.',
        schema: list('The event types.', WebhookEventTypeEntity, 100),
        example: eventTypesExample,
      },
    },
    handle: () => events.types(),
  }),
]
