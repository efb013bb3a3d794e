import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { ChecklistItemEntity } from '../entities.js'
import type { ItemStatus } from '#releases/vocabulary'

/** Records a change of the status of a release's item. */
export function recordItemStatusChanged(
  scope: Scope,
  release: Release,
  change: {
    item: ChecklistItemEntity
    previousStatus: ItemStatus
    /**
     * The comment made with this change; null if there is none, even if the item has an older one.
     */
    comment: string | null
    /** More data for the timeline entry. */
    details?: Record<string, unknown>
  }
): void {
  const { item, previousStatus, comment, details } = change
  const status = item.status!.type
  recordReleaseEvent(scope, release, {
    type: 'checklistItem.statusChanged',
    title: `${item.title}: ${previousStatus} → ${status}`,
    stepConfigId: item.placement.stepConfigId!,
    data: {
      checklistItemId: item.id,
      kind: item.kind,
      title: item.title,
      from: previousStatus,
      to: status,
      comment,
      ...details,
    },
    payload: { checklistItem: item, previousStatus },
    resource: ({ appId, publicId }) =>
      `/app/${appId}/checklistItem/${item.id}?releaseId=${publicId}`,
  })
}

/** Records a new or removed comment on an item. The entry is not sent to webhooks. */
export function recordItemComment(
  scope: Scope,
  release: Release,
  item: ChecklistItemEntity,
  details?: Record<string, unknown>
): void {
  const comment = item.status!.comment?.text ?? null
  recordReleaseEvent(scope, release, {
    type: 'checklistItem.commented',
    title: `${item.title}: ${comment === null ? 'comment removed' : 'comment added'}`,
    stepConfigId: item.placement.stepConfigId!,
    data: { checklistItemId: item.id, kind: item.kind, title: item.title, comment, ...details },
    payload: null,
  })
}

/**
 * Records a vote, or its withdrawal, that does not change the status of the approval, or an
 * approval that bypasses the rules. The entry is not sent to webhooks.
 */
export function recordApproval(
  scope: Scope,
  release: Release,
  entry: {
    type: 'approval.given' | 'approval.withdrawn' | 'approval.brokenGlass'
    title: string
    item: ChecklistItemEntity
    details: Record<string, unknown>
  }
): void {
  const { type, title, item, details } = entry
  recordReleaseEvent(scope, release, {
    type,
    title,
    stepConfigId: item.placement.stepConfigId!,
    data: { checklistItemId: item.id, title: item.title, ...details },
    payload: null,
  })
}
