import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { clipped } from '#foundation/core/text'
import { titleInWords } from '#releases/timeline/title_vocabulary'
import { typeOfLine } from './messages.js'
import type { Line } from './tables.js'
import { RETROSPECTIVE, type NotificationType } from './vocabulary.js'

/** An event that a chat is notified of. */
export type Notified = EventDraft & { type: NotificationType; appId: string }

/** The maximum number of lines in a message; the latest are kept. */
const MAX_LINES = 20
/** The maximum number of lines that wait for an unreachable chat; the latest are kept. */
const MAX_UNSENT = 200
/** The maximum length of a comment. */
const MAX_COMMENT = 500

/** Types that state the same as the release's state in the store. */
export const SAYS_STATE: ReadonlySet<string | undefined> = new Set<NotificationType>([
  'release.submitted',
  'release.released',
])
const STATE: NotificationType = 'appStoreVersion.statusUpdated'

/** Actors that a line names. */
const PEOPLE = ['user', 'apiKey']

/** Returns an event as a line of a message. */
export function lineOf({ actor }: Scope, { type, title, stepConfigId, data }: Notified): Line {
  const { checklistItemId, comment, call } = data ?? {}
  const part = typeof checklistItemId === 'string' ? checklistItemId : (stepConfigId ?? '')
  return {
    key: `${type} ${part}`,
    what: titleInWords({ type, title, data }),
    by: type !== RETROSPECTIVE && PEOPLE.includes(actor.type) ? actor.name : null,
    comment:
      typeof comment === 'string' && comment.trim() !== '' ? clipped(comment, MAX_COMMENT) : null,
    ...(isCalling(call) && { call }),
    ...(stepConfigId !== undefined && { stepConfigId }),
  }
}

const isCalling = (call: unknown): call is string[] =>
  Array.isArray(call) && call.every((each) => typeof each === 'string')

/** Returns the latest line of each key, in order. */
export const addedLines = (before: readonly Line[], after: readonly Line[]): Line[] =>
  withoutRepetitions(before, after).slice(-MAX_LINES)

/** Like `addedLines`, for a message with a history: also keeps the lines that the history lacks. */
export function addedToHistory(before: readonly Line[], after: readonly Line[]): Line[] {
  const lines = withoutRepetitions(before, after)
  const latest = lines.length - MAX_LINES
  return lines.filter(({ notified }, index) => !notified || index >= latest).slice(-MAX_UNSENT)
}

function withoutRepetitions(before: readonly Line[], after: readonly Line[]): Line[] {
  const lines = [...before, ...after]
  const isState = (line: Line) => !line.notified && typeOfLine(line) === STATE
  // Only states before such a line repeat it: later ones are news.
  const stated = lines.findLastIndex((line) => !line.notified && SAYS_STATE.has(typeOfLine(line)))
  return lines.filter(
    (line, index) =>
      !lines.slice(index + 1).some(({ key }) => key === line.key) &&
      !(index < stated && isState(line))
  )
}
