import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { ChecklistItemEntity } from '../entities.js'
import type { ItemStatus } from '#releases/vocabulary'

/** Records that the status of an item of a release differs from before. */
export function recordItemStatusChanged(
  scope: Scope,
  release: Release,
  change: {
    item: ChecklistItemEntity
    previousStatus: ItemStatus
    /** The comment of this change; null without one, whatever was written before. */
    comment: string | null
    /** Additional data of the timeline entry. */
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

/** Records for the timeline alone what a person says of an item now; null takes it back. */
export function recordItemComment(
  scope: Scope,
  release: Release,
  item: ChecklistItemEntity,
  details?: Record<string, unknown>
): void {
  const comment = item.status!.comment?.text ?? null
  recordReleaseEvent(scope, release, {
    type: 'checklistItem.commented',
    title: `${item.title}: ${comment === null ? 'the comment was removed' : 'a comment'}`,
    stepConfigId: item.placement.stepConfigId!,
    data: { checklistItemId: item.id, kind: item.kind, title: item.title, comment, ...details },
    payload: null,
  })
}

/**
 * Records for the timeline alone what happened to an approval: a vote that did not change its
 * status (`approval.given`, `approval.withdrawn`), or one against the rules
 * (`approval.brokenGlass`).
 */
export function recordApproval(
  scope: Scope,
  release: Release,
  happened: {
    type: 'approval.given' | 'approval.withdrawn' | 'approval.brokenGlass'
    title: string
    item: ChecklistItemEntity
    details: Record<string, unknown>
  }
): void {
  const { type, title, item, details } = happened
  recordReleaseEvent(scope, release, {
    type,
    title,
    stepConfigId: item.placement.stepConfigId!,
    data: { checklistItemId: item.id, title: item.title, ...details },
    payload: null,
  })
}
