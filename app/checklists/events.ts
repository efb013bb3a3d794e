import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload, payloadSchema } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'
import { ChecklistItemEntity, ChecklistItemStatusType } from './entities.js'

const WebhookChecklistItemPayload = extendedPayload(
  'WebhookChecklistItemPayload',
  WebhookReleasePayload,
  { checklistItem: ChecklistItemEntity, previousStatus: ChecklistItemStatusType }
)

/** The webhook events that items cause. */
export const events: EventDeclaration[] = [
  {
    type: 'checklistItem.statusChanged',
    summary: 'The status of an item changed',
    description:
      'When the status of a checklist, regression testing or approval item of a release differs from before. Not for a comment alone.',
    platforms: 'All',
    schema: payloadSchema(WebhookChecklistItemPayload),
  },
]
