import type { Scope } from '#foundation/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record'
import type { ChecklistItemEntity } from './entities.js'
import type { ItemStatus } from './vocabulary.js'

/** Records that the status of an item of a release differs from before. */
export function recordItemStatusChanged(
  scope: Scope,
  release: Release,
  change: { item: ChecklistItemEntity; stepConfigId: string; previousStatus: ItemStatus }
): void {
  const { item, stepConfigId, previousStatus } = change
  const status = item.status!.type
  recordReleaseEvent(scope, release, {
    type: 'checklistItem.statusChanged',
    title: `${item.title}: ${previousStatus} → ${status}`,
    stepConfigId,
    data: {
      checklistItemId: item.id,
      kind: item.kind,
      title: item.title,
      from: previousStatus,
      to: status,
      comment: item.status!.comment?.text ?? null,
    },
    payload: { checklistItem: item, previousStatus },
  })
}
