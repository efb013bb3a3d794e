import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendPayload } from '#foundation/core/events/payloads'
import { exampleOfSchema } from '#foundation/api/openapi/example_of'
import { WebhookReleasePayload } from '#releases/events'
import { ChecklistItemEntity, ChecklistItemStatusType } from './entities.js'

export const WebhookChecklistItemPayload = extendPayload(
  'WebhookChecklistItemPayload',
  WebhookReleasePayload,
  { checklistItem: ChecklistItemEntity, previousStatus: ChecklistItemStatusType }
)

const type = 'checklistItem.statusChanged'

/** The webhook events that items cause. */
export const events: EventDeclaration[] = [
  {
    type,
    summary: 'The status of an item changed',
    description:
      'When the status of a checklist, regression testing or approval item of a release differs from before. Not for a comment alone.',
    platforms: 'All',
    schema: WebhookChecklistItemPayload,
    example: {
      ...(exampleOfSchema(WebhookChecklistItemPayload) as object),
      eventType: type,
      type,
    },
  },
]
