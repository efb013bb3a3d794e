import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { itemEntries, type ItemChange, type ReportedItem } from '../definitions/item_entries.js'

/** The items that were added to, updated in and removed from a release. */
export interface CopiedItems {
  added: HeldItem[]
  updated: HeldItem[]
  removed: HeldItem[]
}

/** An item on its step of a release. */
export interface HeldItem extends ReportedItem {
  stepId: string
}

/**
 * Records in the timeline of a release which items were added, removed or changed. An item whose
 * position shifted only because of other items is not recorded.
 * @param about the items that the request is about, whose positions are recorded, too; by default
 *   none, as for a change of the workflow
 */
export async function reportItemChanges(
  scope: Scope,
  release: Release,
  copied: CopiedItems,
  about: ReadonlySet<string> = new Set()
): Promise<void> {
  const reported: CopiedItems = {
    ...copied,
    updated: copied.updated.flatMap((item) => withoutShifts(item, about)),
  }
  if (Object.values(reported).every((items) => items.length === 0)) return
  const configs = new Map(
    (await stepRows(scope, release.id)).map((step) => [step.id, step.stepConfigId])
  )
  for (const change of ['removed', 'updated', 'added'] as const) {
    for (const [stepId, items] of Map.groupBy(reported[change], (item) => item.stepId)) {
      record(scope, release, change, configs.get(stepId), items)
    }
  }
}

function record(
  scope: Scope,
  release: Release,
  change: ItemChange,
  stepConfigId: string | undefined,
  items: readonly HeldItem[]
) {
  for (const entry of itemEntries(change, items)) {
    recordReleaseEvent(scope, release, { ...entry, stepConfigId, payload: null })
  }
}

function withoutShifts(item: HeldItem, about: ReadonlySet<string>): HeldItem[] {
  if (about.has(item.checklistItemId)) return [item]
  const changes = Object.entries(item.changes ?? {}).filter(([name]) => name !== 'position')
  return changes.length > 0 ? [{ ...item, changes: Object.fromEntries(changes) }] : []
}
