import { isDeepStrictEqual } from 'node:util'
import { as, extended, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { columnName, flag } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { isEnded } from '#releases/lifecycle/open_releases'
import { EditCache } from '#releases/lifecycle/edit_cache'
import {
  lostWords,
  memberChanges,
  type LostWords,
  type MemberChanges,
} from '../definitions/item_entries.js'
import { requireReleaseRoom, itemsHeld } from '../definitions/item_room.js'
import {
  checklistItems,
  COPIED_MEMBERS,
  copiedMembers,
  releaseItems,
  type CopiedMembers,
} from '../tables.js'
import { expectedItems, type ExpectedItem } from './expected_items.js'
import { addCopies, dropCopies, renewCopies, type Copies } from './store_copies.js'
import type { CopiedItems, HeldItem } from './report_item_changes.js'

/** SQL condition: a row `i` of `release_items` has a status, a comment or a vote. */
export const TOUCHED = "(i.status <> 'notStarted' or i.comment is not null or i.votes <> '[]')"

/**
 * SQL condition: a copy differs from its definition in a member other than the position. JSON is
 * compared as text, so equal JSON may count as different.
 */
const DIFFERING = COPIED_MEMBERS.filter((name) => name !== 'position')
  .map(columnName)
  .map((column) => `i.${column} is distinct from c.${column}`)
  .join(' or ')

const flagOf = (condition: string) => as(flag(), `case when ${condition} then 1 else 0 end`)

/** The items of a release, without the members that equal their definition. */
const HELD = select(
  {
    ...of(releaseItems, 'i', ['itemId', 'stepId', 'kind', 'title', 'position']),
    isTouched: flagOf(TOUCHED),
    mayDiffer: flagOf(DIFFERING),
  },
  `from release_items i
    join checklist_items c on c.id = i.item_id and c.organization_id = i.organization_id
  where i.organization_id = :org and i.release_id = :releaseId`
)
const NAMED_HELD = extended(HELD, 'and i.item_id in json(:ids)')
type Held = RowOfSelect<typeof HELD>

const COPIED = select(
  of(releaseItems, 'i', ['itemId', ...COPIED_MEMBERS]),
  `from release_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.item_id in json(:ids)`
)
const DEFINED = select(
  of(checklistItems, 'c', ['id', ...COPIED_MEMBERS]),
  'from checklist_items c where c.organization_id = :org and c.id in json(:ids)'
)

const LOST = select(
  of(releaseItems, 'i', ['itemId', 'status', 'comment', 'votes']),
  `from release_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.item_id in json(:ids)`
)

interface CopyOptions {
  /** Ids of the items to copy; by default all. */
  only?: ReadonlySet<string>
  /** The cache of the edit that is applied to the release. */
  cache?: EditCache
  /** Ids of the steps that are about to leave the release. */
  leaving?: ReadonlySet<string>
}

/**
 * Makes the items of a release match the definitions of its app (`expectedItems`). Touched items of
 * an active release stay as they are. Completed and skipped releases never change.
 *
 * @returns the items that were added, updated and removed
 * @throws too_many_items
 */
export async function copyItems(
  scope: Scope,
  release: Release,
  { only, cache = new EditCache(), leaving }: CopyOptions = {}
): Promise<CopiedItems> {
  const copied: CopiedItems = { added: [], updated: [], removed: [] }
  if (isEnded(release)) return copied
  const rows = await heldRows(scope, release, only)
  const present = new Map(rows.map(({ itemId, stepId }) => [itemId, stepId]))
  const expected = await expectedItems(scope, release, { only, cache, leaving, present })
  const gone: string[] = []
  const losing: string[] = []
  const renewed: [Held, ExpectedItem][] = []
  for (const row of rows) {
    const item = expected.get(row.itemId)
    expected.delete(row.itemId)
    if (release.status === 'active' && row.isTouched) continue
    if (!item) {
      gone.push(row.itemId)
      copied.removed.push(heldItem(row.itemId, row))
      if (row.isTouched) losing.push(row.itemId)
    } else if (row.mayDiffer || item.stepId !== row.stepId || item.position !== row.position) {
      renewed.push([row, item])
    }
  }
  const changes = await changesOf(scope, release, renewed)
  const renewals: Copies = []
  for (const [row, item] of renewed) {
    const change = changes.get(row.itemId)!
    if (Object.keys(change).length === 0) continue
    renewals.push({ itemId: row.itemId, stepId: item.stepId })
    copied.updated.push({ ...heldItem(row.itemId, item), changes: change })
  }
  for (const [itemId, item] of expected) {
    copied.added.push({ ...heldItem(itemId, item), ...(item.isOneOff && { oneOff: true }) })
  }

  const lost = await lostByItem(scope, release, losing)
  copied.removed = copied.removed.map((item) => ({ ...item, ...lost.get(item.checklistItemId) }))
  await dropCopies(scope, release, gone)
  await renewCopies(scope, release, renewals)
  await addCopies(
    scope,
    release,
    [...expected].map(([itemId, { stepId }]) => ({ itemId, stepId }))
  )
  if (copied.added.length > 0) requireReleaseRoom(release, await itemsHeld(scope, release.id))
  return copied
}

/** Returns what people had written about removed items. */
async function lostByItem(scope: Scope, { id: releaseId }: Release, itemIds: readonly string[]) {
  if (itemIds.length === 0) return new Map<string, { lost: LostWords }>()
  const rows = await scope.rows(LOST, { releaseId, ids: JSON.stringify(itemIds) })
  return new Map(rows.map((row) => [row.itemId, { lost: lostWords(row) }]))
}

/** Returns whether copying changed facts of the release. The position of an item is not a fact. */
export function changesFacts({ added, updated, removed }: CopiedItems): boolean {
  const isBeyondPosition = ({ changes = {} }: HeldItem) =>
    Object.keys(changes).some((name) => name !== 'position')
  return added.length + removed.length > 0 || updated.some(isBeyondPosition)
}

const heldItem = (
  checklistItemId: string,
  { kind, title, stepId }: Pick<Held, 'kind' | 'title' | 'stepId'>
): HeldItem => ({ checklistItemId, kind, title, stepId })

function heldRows(scope: Scope, { id: releaseId }: Release, only?: ReadonlySet<string>) {
  if (!only) return scope.rows(HELD, { releaseId })
  return scope.rows(NAMED_HELD, { releaseId, ids: JSON.stringify([...only]) })
}

/** Returns the changes of copies by item id; empty if only the JSON text differs. */
async function changesOf(
  scope: Scope,
  release: Release,
  renewed: readonly [Held, ExpectedItem][]
): Promise<Map<string, MemberChanges>> {
  const differing = renewed.flatMap(([{ mayDiffer, itemId }]) => (mayDiffer ? itemId : []))
  const members = await differingMembers(scope, release, differing)
  return new Map(
    renewed.map(([row, item]) => {
      const changes = members.get(row.itemId) ?? {}
      if (row.position !== item.position) {
        changes.position = { from: row.position, to: item.position }
      }
      if (row.stepId !== item.stepId) changes.stepId = { from: row.stepId, to: item.stepId }
      return [row.itemId, changes]
    })
  )
}

async function differingMembers(scope: Scope, { id: releaseId }: Release, itemIds: string[]) {
  const members = new Map<string, MemberChanges>()
  if (itemIds.length === 0) return members
  const ids = JSON.stringify(itemIds)
  const defined = new Map<string, CopiedMembers>()
  for (const { id, ...item } of await scope.rows(DEFINED, { ids })) defined.set(id, item)
  for (const { itemId, ...copy } of await scope.rows(COPIED, { releaseId, ids })) {
    const item = defined.get(itemId)!
    const isEqual = COPIED_MEMBERS.every((name) => isDeepStrictEqual(copy[name], item[name]))
    if (!isEqual) members.set(itemId, memberChanges(copiedMembers(copy), copiedMembers(item)))
  }
  return members
}
