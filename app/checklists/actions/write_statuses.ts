import type { Actor, Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { Vote } from '../approvals.js'
import type { ChecklistItemEntity } from '../entities.js'
import { chunked } from '../queries/owner_names.js'
import { releaseItems, type PlacedItem } from '../queries/release_items.js'
import { recordItemStatusChanged } from '../record.js'
import type { ItemStatus } from '../vocabulary.js'

/** What one item of a release is set to. An absent comment stays, null clears it. */
export interface StatusChange {
  item: PlacedItem
  status?: ItemStatus
  comment?: string | null
  /** Who decided, where it is not the asker. */
  by?: Actor
  /** Of an approval: who approved it then. */
  votes?: readonly Vote[]
  /** What the timeline tells beyond the change of status. */
  told?: Record<string, unknown>
}

/** Whether the status differs from the one there is. */
export const isMove = ({ item, status }: StatusChange) =>
  status !== undefined && status !== item.item.status!.type

/**
 * Writes statuses, comments and votes of items of one open release and records one event per
 * status that differs. What is the same already is not written. The release is not derived
 * anew: that is the caller's to do.
 *
 * @returns the items as they are then, in the order given.
 */
export async function writeStatuses(
  scope: Scope,
  release: Release,
  changes: readonly StatusChange[]
): Promise<ChecklistItemEntity[]> {
  await store(scope, release, changes)
  const held = await releaseItems(scope, release, {
    itemIds: changes.map(({ item }) => item.item.id),
  })
  const present = new Map(held.map(({ item }) => [item.id, item]))
  for (const change of changes.filter(isMove)) {
    const { item } = change.item
    recordItemStatusChanged(scope, release, {
      item: present.get(item.id)!,
      previousStatus: item.status!.type,
      told: change.told,
    })
  }
  return changes.map(({ item }) => present.get(item.item.id)!)
}

/** Items that change alike are written together. */
async function store(scope: Scope, release: Release, changes: readonly StatusChange[]) {
  const alike = new Map<string, string[]>()
  for (const change of changes) {
    const columns = columnsOf(scope, change)
    if (Object.keys(columns).length === 0) continue
    const name = JSON.stringify(columns)
    alike.set(name, [...(alike.get(name) ?? []), change.item.item.id])
  }
  for (const [columns, ids] of alike) {
    for (const chunk of chunked(ids)) {
      await scope
        .table('release_items')
        .where('release_id', release.id)
        .whereIn('item_id', chunk)
        .update({ ...JSON.parse(columns), updated_at: scope.now })
    }
  }
}

function columnsOf(scope: Scope, change: StatusChange) {
  const { item, status, comment, votes, by = scope.actor } = change
  const columns: Record<string, string | null> = {}
  if (isMove(change)) {
    columns.status = status!
    columns.status_updated_at = scope.now
    columns.status_updated_by = JSON.stringify(by)
  }
  if (votes && votes.length !== item.votes.length) columns.votes = JSON.stringify(votes)
  const text = item.item.status!.comment?.text ?? null
  if (comment !== undefined && comment !== text) {
    columns.comment =
      comment === null ? null : JSON.stringify({ text: comment, author: by, updatedAt: scope.now })
  }
  return columns
}
