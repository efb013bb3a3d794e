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

/** The members that differ, with their old and new values. */
export type MemberChanges = Record<string, { from: unknown; to: unknown }>

/** An item as an entry of a timeline names it. */
export interface ReportedItem {
  checklistItemId: string
  kind: ItemKind
  title: string
  /** Set for an item of one release only. */
  oneOff?: true
  /** Set for an edited item. */
  changes?: MemberChanges
  /** Set for a removed item: what people had written about it. */
  lost?: LostWords
}

/** The status, comment and approvers that are lost with a removed item. */
export interface LostWords {
  status: ItemStatus
  comment: string | null
  approvedBy: string[]
}

/** Returns the input of people that is lost with a copy. An item that returns starts without it. */
export const lostWords = ({
  status,
  comment,
  votes,
}: Pick<RowOf<typeof releaseItems>, 'status' | 'comment' | 'votes'>): LostWords => ({
  status,
  comment: comment?.text ?? null,
  approvedBy: votes.map(({ actor }) => actor.name),
})

/** Number of items per timeline entry; more items make more entries. */
const ITEMS_PER_ENTRY = 50

const SENTENCE_END: Record<ItemChange, string> = {
  added: 'added',
  updated: 'edited',
  removed: 'removed',
}

/** Builds the timeline entries of items that one change added, edited or removed. */
export function itemEntries(change: ItemChange, items: readonly ReportedItem[]) {
  return chunked(items, ITEMS_PER_ENTRY).map((some) => {
    const subject = some.length === 1 ? `"${some[0].title}" was` : `${some.length} items were`
    return {
      type: `checklistItem.${change}` as const,
      title: `${subject} ${SENTENCE_END[change]}${lostWith(some)}`,
      data: {
        items: some.map(({ checklistItemId, kind, title, oneOff, changes, lost }) => ({
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
  const touched = items.flatMap(({ lost }) => lost ?? [])
  if (touched.length === 0) return ''
  if (items.length > 1) return `, ${touched.length} with what people had said about them`
  const [{ status }] = touched
  return status === 'notStarted'
    ? ' with what people had said about it'
    : `; its status was ${status}`
}

/** Returns an item as timeline entries name it. */
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

/** Returns the members of an item that differ. Each rule of an approval is a member of its own. */
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
