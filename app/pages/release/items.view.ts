import { ITEM_ACTION } from '#releases/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { textOf } from '../frame/fields.js'
import type { Reader, Refused } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { isReader } from '../words/who.js'
import { ITEM_STATUSES, statusLabel } from '../words/statuses.js'
import { inSentence } from '../words/times.js'
import type { Item } from './answers.js'

/** The statuses that a person can set, by kind of item, with the words of their buttons. */
const BUTTONS: Readonly<
  Record<Item['kind'], readonly (readonly [status: string, word: string])[]>
> = {
  checklist: [
    ['complete', 'Done'],
    ['blocked', 'Blocked'],
    ['notApplicable', 'Does not apply'],
  ],
  regression: [
    ['passed', 'Pass'],
    ['failed', 'Fail'],
    ['blocked', 'Blocked'],
    ['notApplicable', 'Does not apply'],
  ],
  approval: [
    ['approved', 'Approve'],
    ['rejected', 'Reject'],
  ],
}

/** Statuses that need an explanation: their form has a field for a comment. */
const EXPLAINED = new Set(['failed', 'blocked', 'rejected'])

/** The initial status, which undoes a decision. */
const OPEN = 'notStarted'

const DONE = new Set(['complete', 'passed', 'approved', 'notApplicable'])

/** The operation that changes the status of an item. */
const CHANGES = 'updateChecklistItemStatus'

/** The address of a step, and the pilot of its release. */
interface At {
  address: string
  pilotId: string | null
}

/**
 * Returns the items of a step, the required ones first. A decision moves no row: a second press would
 * hit the next item, and so would that of a reader who is about to press when a poll arrives.
 */
export function itemsOf(items: readonly Item[], at: At, reader: Reader, refused: Refused | null) {
  const order = items.toSorted((a, b) => Number(b.required) - Number(a.required))
  const done = items.filter(isDone).length
  return {
    count: `${done} of ${items.length}`,
    isDone: done === items.length,
    rows: order.map((item) => rowOf(item, at, reader, refused)),
  }
}

/** Returns the end of the address of an item's form. */
export const actionOf = (id: string): string => `/checklistItem/${encodeURIComponent(id)}/status`

const isDone = ({ status }: Item) => DONE.has(status.type)

/** The most changes of a build that the row of an approval lists; the comparison has all. */
const MAX_CHANGES = 5

/** The number of buttons in the row of an open item; the others are folded. */
const MAX_BUTTONS = 2

/** Splits buttons into the first and the folded ones, which are open if one has typed text. */
function splitAt<Button extends { typed: string | null }>(count: number, all: readonly Button[]) {
  const more = all.slice(count)
  return {
    buttons: all.slice(0, count),
    more,
    isMoreOpen: more.some(({ typed }) => typed !== null),
  }
}

function toneOf(status: string): string {
  if (status === 'passed' || status === 'complete' || status === 'approved') return 'p'
  return EXPLAINED.has(status) ? 'f' : ''
}

function rowOf(item: Item, { address, pilotId }: At, reader: Reader, refused: Refused | null) {
  const { status, kind } = item
  const owners = item.owners.map(({ name }) => name)
  const isOwn = item.owners.some(({ type, id, name }) =>
    isReader(
      { type, id: (type === 'releasePilot' ? pilotId : id) ?? undefined, name },
      reader.principal
    )
  )
  // An owner may decide on an approval; everything else needs the user action of the kind.
  const mayKind = isReader({ type: 'userAction', name: ITEM_ACTION[kind] }, reader.principal)
  const may = reader.may(CHANGES) && (mayKind || (kind === 'approval' && isOwn))
  // If the app names approvers for a change in a build, only they may approve it.
  const mayApprove = !item.demand || item.owners.length === 0 || isOwn
  const votes = item.approvals ?? []
  const hasVoted = votes.some(({ actor }) => actor.id === reader.principal.actor.id)
  const action = `${address}${actionOf(item.id)}`
  // A refused form keeps what was typed.
  const sent = refused?.action === action ? refused.fields : null
  return {
    id: item.id,
    title: item.title,
    description: item.description,
    changes: item.demand
      ? {
          lines: item.demand.changes.slice(0, MAX_CHANGES),
          // A build that could not be compared shows the reason in the place of changes.
          why: item.demand.changes.length === 0 ? item.description : null,
          href: addressOf(addresses.releaseComparison, {
            appId: item.appId,
            releaseId: item.releaseId ?? '',
          }),
        }
      : null,
    required: item.required,
    status: statusLabel(ITEM_STATUSES, status.type),
    owners: owners.join(', '),
    isYours: isOwn && !isDone(item),
    approvals:
      kind === 'approval'
        ? {
            count: `${votes.length} of ${item.requiredApprovals ?? 1}`,
            names: votes.map(({ actor, at }) => `${actor.name}, ${inSentence(at, reader)}`),
            fourEyes: item.fourEyes === true,
          }
        : null,
    changed:
      status.updatedBy && status.updatedAt
        ? `${status.updatedBy.name}, ${inSentence(status.updatedAt, reader)}`
        : null,
    comment: status.comment ? `${status.comment.text} (${status.comment.author.name})` : null,
    action,
    tag: seenTag(item.tag, action, refused),
    ...splitAt(
      isDone(item) ? 0 : MAX_BUTTONS,
      may
        ? BUTTONS[kind]
            // Several people may approve, each once.
            .filter(([each]) =>
              each === 'approved' ? mayApprove && !hasVoted : each !== status.type
            )
            .map(([each, word]) => ({
              status: each,
              word,
              isExplained: EXPLAINED.has(each),
              typed: sent && sent.status === each ? textOf(sent, 'comment') : null,
              tone: toneOf(each),
            }))
        : []
    ),
    undo:
      may && status.type !== OPEN
        ? { status: OPEN, word: votes.length > 0 ? 'Withdraw all approvals' : 'Undo' }
        : null,
  }
}
