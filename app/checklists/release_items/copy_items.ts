import { isDeepStrictEqual } from 'node:util'
import { chunked } from '#foundation/core/chunked'
import { extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { NewRow, Scope } from '#foundation/core/scope'
import { itemReleaseType } from '#releases/engine/release_type'
import type Release from '#releases/models/release'
import { isEnded } from '#releases/open_releases'
import { stepRows } from '#releases/queries/step_rows'
import {
  checklistItems,
  COPIED_MEMBERS,
  copiedMembers,
  releaseItems,
  type CopiedMembers,
} from '../tables.js'

import { memberChanges, type MemberChanges } from '../item_entries.js'
import type { CopiedItems } from './tell_item_changes.js'

type ReleaseItemRow = NewRow<typeof releaseItems>

/** What a release copies of an item, and the step it lands on. */
type Copy = CopiedMembers & Pick<ReleaseItemRow, 'stepId'>

const DEFINED = select(
  of(checklistItems, 'c'),
  `from checklist_items c where c.organization_id = :org and c.app_id = :appId
    and c.deleted_at is null and (c.release_id is null or c.release_id = :releaseId)`
)
const DEFINED_ONE = extended(DEFINED, 'and c.id = :itemId')

const COPIED = select(
  of(releaseItems, 'i'),
  'from release_items i where i.organization_id = :org and i.release_id = :releaseId'
)
const COPIED_ONE = extended(COPIED, 'and i.item_id = :itemId')

/**
 * Brings the items of a release in line with the app's: the live templates for its type and
 * its own one-offs, each on its step; an item without a step in the release is not in it.
 * Touched items (a status, a comment or a vote) of an active release stay as they are, and
 * completed and skipped releases are never changed.
 *
 * @param only the items to look at; all of them by default.
 * @returns what became of which item.
 */
export async function copyItems(
  scope: Scope,
  release: Release,
  only?: ReadonlySet<string>
): Promise<CopiedItems> {
  const copied: CopiedItems = { added: [], updated: [], removed: [] }
  if (isEnded(release)) return copied
  const { wanted, oneOffs } = await expectedItems(scope, release, only)
  const rows = await releaseItemRows(scope, release, only)

  const gone: string[] = []
  const stored: ReleaseItemRow[] = []
  for (const row of rows) {
    const copy = wanted.get(row.itemId)
    wanted.delete(row.itemId)
    if (release.status === 'active' && isItemTouched(row)) continue
    if (copy && isCopied(copy, row)) continue
    gone.push(row.itemId)
    if (copy) {
      stored.push({ ...row, ...copy, updatedAt: scope.now })
      copied.updated.push({ ...held(row.itemId, copy), changes: changesOf(row, copy) })
    } else copied.removed.push(held(row.itemId, row))
  }
  for (const [itemId, copy] of wanted) {
    copied.added.push({ ...held(itemId, copy), ...(oneOffs.has(itemId) && { oneOff: true }) })
    stored.push({
      ...copy,
      ...UNTOUCHED,
      releaseId: release.id,
      itemId,
      updatedAt: scope.now,
    })
  }

  for (const ids of chunked(gone)) {
    await scope
      .table('release_items')
      .where('release_id', release.id)
      .whereIn('item_id', ids)
      .delete()
  }
  await scope.insert(releaseItems, stored)
  return copied
}

/** Whether copying changed anything. */
export function hasCopied({ added, updated, removed }: CopiedItems): boolean {
  return added.length + updated.length + removed.length > 0
}

const held = (checklistItemId: string, { kind, title, stepId }: Copy) => ({
  checklistItemId,
  kind,
  title,
  stepId,
})

function changesOf(row: Copy, copy: Copy): MemberChanges {
  const moved: MemberChanges =
    row.stepId === copy.stepId ? {} : { stepId: { from: row.stepId, to: copy.stepId } }
  return { ...memberChanges(copiedMembers(row), copiedMembers(copy)), ...moved }
}

const UNTOUCHED = {
  status: 'notStarted',
  statusUpdatedAt: null,
  statusUpdatedBy: null,
  comment: null,
  votes: [],
} as const satisfies Partial<ReleaseItemRow>

/** The same as a condition on a row `i` of `release_items`. */
export const TOUCHED = "(i.status <> 'notStarted' or i.comment is not null or i.votes <> '[]')"

/** An item is touched while it has a status, a comment or a vote. */
function isItemTouched({
  status,
  comment,
  votes,
}: Pick<ReleaseItemRow, 'status' | 'comment' | 'votes'>): boolean {
  return status !== 'notStarted' || comment !== null || votes.length > 0
}

function isCopied(copy: Copy, row: ReleaseItemRow): boolean {
  if (copy.stepId !== row.stepId) return false
  return COPIED_MEMBERS.every((name) => isDeepStrictEqual(copy[name], row[name]))
}

/** The items the release should hold, by id, as they would be copied. */
async function expectedItems(scope: Scope, release: Release, only?: ReadonlySet<string>) {
  const steps = await stepRows(scope, release.id)
  const byConfig = new Map(steps.map((step) => [step.stepConfigId, step.id]))
  // The last one set wins, so the first step of a type stands.
  const byType = new Map([...steps].reverse().map((step) => [step.type, step.id]))
  const type = itemReleaseType(release.releaseType, release.settings.assumeHotfixesArePointReleases)

  const wanted = new Map<string, Copy>()
  const oneOffs = new Set<string>()
  for (const item of await definedItems(scope, release, only)) {
    const isOneOff = item.releaseId !== null
    if (!isOneOff && !item.releaseTypes.includes(type)) continue
    const stepId = item.stepConfigId
      ? byConfig.get(item.stepConfigId)
      : item.stepType && byType.get(item.stepType)
    if (!stepId) continue
    wanted.set(item.id, { stepId, ...copiedMembers(item) })
    if (isOneOff) oneOffs.add(item.id)
  }
  return { wanted, oneOffs }
}

async function definedItems(scope: Scope, release: Release, only?: ReadonlySet<string>) {
  const bindings = { appId: release.appId, releaseId: release.id }
  const [itemId] = only ?? []
  const rows: RowOfSelect<typeof DEFINED>[] =
    only?.size === 1
      ? await scope.rows(DEFINED_ONE, { ...bindings, itemId })
      : await scope.rows(DEFINED, bindings)
  return only ? rows.filter((row) => only.has(row.id)) : rows
}

async function releaseItemRows(
  scope: Scope,
  release: Release,
  only?: ReadonlySet<string>
): Promise<ReleaseItemRow[]> {
  const bindings = { releaseId: release.id }
  const [itemId] = only ?? []
  const rows: RowOfSelect<typeof COPIED>[] =
    only?.size === 1
      ? await scope.rows(COPIED_ONE, { ...bindings, itemId })
      : await scope.rows(COPIED, bindings)
  return rows.flatMap(({ organizationId: _, ...row }) => (only && !only.has(row.itemId) ? [] : row))
}
