import { exampleEvent } from '#apps/examples'
import { exampleRelease } from '#releases/examples'
import { exampleReleaseItem } from './examples.js'
import { Type } from '@sinclair/typebox'
import type { EventDeclaration } from '#foundation/core/events/catalog'
import { extendedPayload } from '#foundation/core/events/payloads'
import { described } from '#foundation/core/schemas'
import { WebhookReleasePayload } from '#releases/events'
import { ChecklistItemEntity, ChecklistItemStatus, ChecklistItemStatusType } from './entities.js'

/** An item in a thin payload: its identity, and its status without the comment. */
const BriefItem = Type.Composite([
  Type.Pick(ChecklistItemEntity, ['id', 'appId', 'kind', 'title', 'releaseId', 'placement']),
  Type.Object({ status: Type.Pick(ChecklistItemStatus, ['type', 'updatedAt', 'updatedBy']) }),
])

const WebhookChecklistItemPayload = extendedPayload(
  'WebhookChecklistItemPayload',
  'An item of a release whose status changed.',
  WebhookReleasePayload,
  {
    checklistItem: described('The current item of the release.', ChecklistItemEntity),
    previousStatus: described('Previous status of the item.', ChecklistItemStatusType),
  },
  {
    checklistItem: described('The item in brief.', BriefItem),
    previousStatus: described('Previous status of the item.', ChecklistItemStatusType),
  }
)

/** The webhook events that items cause. */
export const events: EventDeclaration[] = [
  {
    type: 'checklistItem.statusChanged',
    summary: 'The status of an item changed',
    description:
      'When the status of a checklist, regression testing or approval item of a release changes. Not for a comment alone.',
    platforms: 'All',
    payload: WebhookChecklistItemPayload,
    example: () =>
      exampleEvent(4117, '2026-11-18T10:12:00.000Z', {
        release: exampleRelease('tested'),
        checklistItem: exampleReleaseItem,
        previousStatus: 'inProgress',
      }),
  },
]
