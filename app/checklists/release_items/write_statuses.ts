import { alike } from '#foundation/core/alike'
import type { RowOf } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { ItemStatus } from '#releases/vocabulary'
import type { Vote } from '../approvals/approvals.js'
import type { ChecklistItemEntity } from '../entities.js'
import type { ReleaseItem } from '../queries/find_release_items.js'
import { recordItemComment, recordItemStatusChanged } from './record_item_event.js'
import { releaseItems } from '../tables.js'
import { approvalEntity } from '../transformers/item_entity.js'

/** A change of an item. An absent status or comment stays; null clears the comment. */
export interface StatusChange {
  current: ReleaseItem
  status?: ItemStatus
  comment?: string | null
  /** The person who decided, if not the requester. */
  by?: Actor
  /** For an approval: its votes after the change. */
  votes?: readonly Vote[]
  /** Additional data of the timeline entry. */
  details?: Record<string, unknown>
  /** The caller records the change itself, so a changed comment needs no entry. */
  isReported?: true
}

/** Columns of a release item that a change writes. */
type Written = Partial<
  Pick<
    RowOf<typeof releaseItems>,
    'status' | 'statusUpdatedAt' | 'statusUpdatedBy' | 'comment' | 'votes'
  >
>

/** Returns whether the status changes. */
export const changesStatus = ({ current, status }: StatusChange) =>
  status !== undefined && status !== current.item.status!.type

/**
 * Writes statuses, comments and votes of items of one open release. Records one event per changed
 * status, or a timeline entry where only the comment changes. Values that do not change are not
 * written. The caller has to derive the release again.
 *
 * @returns the items after the write, in the order given
 */
export async function writeStatuses(
  scope: Scope,
  release: Release,
  changes: readonly StatusChange[]
): Promise<ChecklistItemEntity[]> {
  const written = changes.map((change) => ({ change, values: valuesOf(scope, change) }))
  await store(scope, release, written)
  return written.map(({ change, values }) => {
    const item = entityAfter(scope, change.current.item, values)
    if (changesStatus(change)) {
      const previousStatus = change.current.item.status!.type
      const { comment = null, details } = change
      recordItemStatusChanged(scope, release, { item, previousStatus, comment, details })
    } else if (values.comment !== undefined && !change.isReported) {
      recordItemComment(scope, release, item, change.details)
    }
    return item
  })
}

/** Writes the values. Items with the same values share one statement. */
async function store(
  scope: Scope,
  release: Release,
  written: readonly { change: StatusChange; values: Written }[]
) {
  const rows = written.map(({ change, values }) => [change.current.item.id, values] as const)
  for (const { ids: itemId, values } of alike(rows)) {
    const key = { releaseId: release.id, itemId }
    await scope.update(releaseItems, key, { ...values, updatedAt: scope.now })
  }
}

function valuesOf(scope: Scope, change: StatusChange): Written {
  const { current, status, comment, votes, by = scope.actor } = change
  const values: Written = {}
  if (changesStatus(change)) {
    values.status = status
    values.statusUpdatedAt = scope.now
    values.statusUpdatedBy = by
  }
  if (votes && votes.length !== current.votes.length) values.votes = [...votes]
  const text = current.item.status!.comment?.text ?? null
  if (comment !== undefined && comment !== text) {
    values.comment = comment === null ? null : { text: comment, author: by, updatedAt: scope.now }
  }
  return values
}

/** Returns the item as the API shows it after these columns are written. */
function entityAfter(
  scope: Scope,
  item: ChecklistItemEntity,
  values: Written
): ChecklistItemEntity {
  if (Object.keys(values).length === 0) return item
  const { status, statusUpdatedAt, statusUpdatedBy, comment, votes } = values
  return {
    ...item,
    status: {
      ...item.status!,
      ...(status !== undefined && {
        type: status,
        updatedAt: statusUpdatedAt!,
        updatedBy: statusUpdatedBy!,
      }),
      ...(comment !== undefined && { comment }),
    },
    ...(votes && { approvals: votes.map(approvalEntity) }),
    updatedAt: scope.now,
  }
}
