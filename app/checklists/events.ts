import { Type } from '@sinclair/typebox'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { WebhookReleasePayload } from '#releases/events'
import { ChecklistItemEntity, ChecklistItemStatus, ChecklistItemStatusType } from './entities.js'

/** An item in a thin payload: which one, and its status without the comment. */
const BriefItem = Type.Composite([
  Type.Pick(ChecklistItemEntity, ['id', 'appId', 'kind', 'title', 'releaseId', 'placement']),
  Type.Object({ status: Type.Pick(ChecklistItemStatus, ['type', 'updatedAt', 'updatedBy']) }),
])

const WebhookChecklistItemPayload = extendedPayload(
  'WebhookChecklistItemPayload',
  WebhookReleasePayload,
  { checklistItem: ChecklistItemEntity, previousStatus: ChecklistItemStatusType },
  { checklistItem: BriefItem, previousStatus: ChecklistItemStatusType }
)

/** The webhook events that items cause. */
export const events: EventDeclaration[] = [
  {
    type: 'checklistItem.statusChanged',
    summary: 'The status of an item changed',
    description:
      'When the status of a checklist, regression testing or approval item of a release differs from before. Not for a comment alone.',
    platforms: 'All',
    payload: WebhookChecklistItemPayload,
  },
]
