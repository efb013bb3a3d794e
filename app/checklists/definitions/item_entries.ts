import { isDeepStrictEqual } from 'node:util'
import { recordAppEvent } from '#apps/record_app_event'
import { chunked } from '#foundation/core/chunked'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import type { ItemKind, ItemStatus } from '#releases/vocabulary'
import { rulesOf } from '../approvals/approvals.js'
import type { CopiedMembers, releaseItems } from '../tables.js'

/** The kinds of changes of an item. */
export type ItemChange = 'added' | 'updated' | 'removed'

/** The fields that differ, with their old and new values. */
export type MemberChanges = Record<string, { from: unknown; to: unknown }>

/** An item in a timeline entry. */
export interface ReportedItem {
  checklistItemId: string
  kind: ItemKind
  title: string
  /** Set for an item of one release only. */
  oneOff?: true
  /** Set for an edited item. */
  changes?: MemberChanges
  /** Set for a removed item: its lost status, comment and approvers. */
  lost?: LostWords
}

/** The status, comment and approvers that are lost with a removed item. */
export interface LostWords {
  status: ItemStatus
  comment: string | null
  approvedBy: string[]
}

/**
 * Returns the user input that is lost when a copy is removed. A restored item starts without it.
 */
export const lostWords = ({
  status,
  comment,
  votes,
}: Pick<RowOf<typeof releaseItems>, 'status' | 'comment' | 'votes'>): LostWords => ({
  status,
  comment: comment?.text ?? null,
  approvedBy: votes.map(({ actor }) => actor.name),
})

/** Maximum number of items per timeline entry. */
const ITEMS_PER_ENTRY = 50

const SENTENCE_END: Record<ItemChange, string> = {
  added: 'added',
  updated: 'edited',
  removed: 'removed',
}

/** Builds the timeline entries of items that one change added, edited or removed. */
export function itemEntries(change: ItemChange, items: readonly ReportedItem[]) {
  return chunked(items, ITEMS_PER_ENTRY).map((batch) => {
    const subject = batch.length === 1 ? `"${batch[0].title}" was` : `${batch.length} items were`
    return {
      type: `checklistItem.${change}` as const,
      title: `${subject} ${SENTENCE_END[change]}${lostWith(batch)}`,
      data: {
        items: batch.map(({ checklistItemId, kind, title, oneOff, changes, lost }) => ({
          checklistItemId,
          kind,
          title,
          ...(oneOff && { oneOff }),
          ...(changes && { changes }),
          ...(lost && { lost }),
        })),
      },
    }
  })
}

function lostWith(items: readonly ReportedItem[]): string {
  const losses = items.flatMap(({ lost }) => lost ?? [])
  if (losses.length === 0) return ''
  if (items.length > 1) return `, ${losses.length} with what people had said about them`
  const [{ status }] = losses
  return status === 'notStarted'
    ? ' with what people had said about it'
    : `; its status was ${status}`
}

/** Returns an item in the form of timeline entries. */
export const reportedItem = ({
  id,
  kind,
  title,
}: {
  id: string
  kind: ItemKind
  title: string
}): ReportedItem => ({
  checklistItemId: id,
  kind,
  title,
})

/** Records changes of templates in the timeline of their app. */
export function reportTemplates(
  scope: Scope,
  appId: string,
  change: ItemChange,
  items: readonly ReportedItem[]
): void {
  for (const entry of itemEntries(change, items)) recordAppEvent(scope, appId, entry)
}

/** Returns the fields of an item that differ. Each rule of an approval counts as a field. */
export function memberChanges<Item extends CopiedMembers>(
  before: Item,
  after: Item
): MemberChanges {
  const [from, to] = [flat(before), flat(after)]
  const names = Object.keys(to).filter((name) => !isDeepStrictEqual(from[name], to[name]))
  return Object.fromEntries(names.map((name) => [name, { from: from[name], to: to[name] }]))
}

function flat({ settings, ...members }: CopiedMembers): Record<string, unknown> {
  return { ...members, ...(members.kind === 'approval' && rulesOf(settings)) }
}
