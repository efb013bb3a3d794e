import { unbroken } from './numbers.js'
import { spelledOut, titleInWords } from '#releases/timeline/title_vocabulary'
import {
  BUILD_STATUSES,
  ITEM_STATUSES,
  REGRESSION_STATUSES,
  STEP_STATUSES,
  type StatusWords,
} from './statuses.js'

/** Codes of the API within texts: `inProgress`, `WAITING_FOR_REVIEW`; not the names of settings. */
const CODES =
  /\b(?!OUTBOUND_ALLOW\b)(?:notStarted|inProgress|notApplicable|inReview|[A-Z]{2,}(?:_[A-Z]+)+)\b/g

/** Returns names as a list within a sentence: `A, B and C`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}

/** Returns a text with a capital first letter. */
export const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Returns a status of a store in plain words: `In review`. */
export const storeWord = (raw: string): string => capital(spelledOut(raw))

/** Returns the name of a metric in words: `crashFreeSessions` is `crash-free sessions`. */
export const metricName = (metric: string): string =>
  spelledOut(metric).replace('crash free', 'crash-free')

/** The metric of a judgement of the guard. */
const JUDGED = /\b[a-z]+(?:[A-Z][a-z]+)+(?=: (?:healthy|unhealthy|not enough data yet), )/g

/** The state of a version in the words of its store. */
const STORE_SAYS = /\b(The store reports) ([A-Z_]+)\b/g

/** A setting of a policy that the form has in words. */
const GROWS = 'say whenUnsure: grow'

/** Returns a message of the service without codes of the API. Quotations stay as they are. */
export const plainText = (message: string): string =>
  message
    .replace(GROWS, 'let it grow without any data')
    .replace(JUDGED, (metric, at) => (at === 0 ? capital(metricName(metric)) : metricName(metric)))
    .replace(STORE_SAYS, (_, says: string, state: string) => `${says} “${storeWord(state)}”`)
    .split(/("[^"]*")/)
    .map((part, index) => (index % 2 ? part : unbroken(part.replace(CODES, spelledOut))))
    .join('')

/** The beginning of a validator's message, with the member of the body. */
const MEMBER = /^The (\S+) field (?=must |has )/

/** Messages of validators, with the wording of pages. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/must be defined$|must have at least 1 character$/, 'must not be empty'],
  [/must be an RFC 3339 date-time$/, 'must be a date and a time'],
  [/must have at least 1 item$/, 'must have at least one'],
  [/field format is invalid$/, 'field has an invalid format'],
]

/**
 * Returns the message to show beside a field: `It must be a number`, or in a list `Row 2, hours: it
 * must be a number`.
 * @param field the field that shows the member
 */
export function faultText(message: string, field: string | null = null): string {
  const text = WORDS.reduce((current, [words, word]) => current.replace(words, word), message)
  const [begin, path = ''] = MEMBER.exec(text) ?? []
  if (begin === undefined) return plainText(text)
  const parts = path.split('.')
  const pathInField =
    field === null || !parts.includes(field) ? [] : parts.slice(parts.lastIndexOf(field) + 1)
  const row = pathInField.map((part) =>
    /^\d+$/.test(part) ? `Row ${Number(part) + 1}` : spelledOut(part)
  )
  const rest = text.slice(begin.length)
  return plainText(row.length > 0 ? `${row.join(', ')}: it ${rest}` : `It ${rest}`)
}

/** Words of statuses by type of entry; all others are statuses of stores. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, StatusWords>>>> = {
  'checklistItem.statusChanged': ITEM_STATUSES,
  'releaseStep.statusChanged': STEP_STATUSES,
  'ciBuild.statusChanged': BUILD_STATUSES,
  'release.regressionStatusUpdated': REGRESSION_STATUSES,
}

/** Returns the title of an entry of the timeline, with statuses in words: `Not started → Done`. */
export function entryTitle(reported: Parameters<typeof titleInWords>[0]): string {
  if (reported.type.startsWith('rollout.')) return plainText(reported.title)
  const table = STATUSES[reported.type] ?? {}
  const wordOf = (status: string) =>
    Object.hasOwn(table, status) ? table[status].word : storeWord(status)
  return unbroken(titleInWords(reported, wordOf))
}

/** Returns the identifier of a build in CI; null until it is known. */
export const ciNumber = (identifier: string): string | null =>
  identifier.startsWith('trigger_') ? null : identifier

/** Returns the name of an actor for people: the API names automations and systems by codes. */
export const actorName = ({ type, name }: { type: string; name: string }): string =>
  type === 'automation' || type === 'system' ? capital(NAMES[name] ?? spelledOut(name)) : name

const NAMES: Readonly<Record<string, string>> = {
  // The name in the API is used for any store.
  'app store': 'The store',
  'CI': 'CI',
}

/** Advice to override a refusal with a member of the API. */
const FORCED = /,? or (?:repeat|release it as submitted|submit it anyway) with force=true/i

/** Advice to send a member of the API for which a form has a checkbox. */
const MANAGED = 'repeat with managedPublishing=true'

/**
 * Returns a refusal without the advice to override it with a member of the API.
 * @param hasBox whether the page has a checkbox for that, which the text then names instead
 */
export function refusalText(message: string, hasBox = false): string {
  const ticked = message.replaceAll('with force=true', 'with the box below ticked')
  const reported = hasBox
    ? ticked
    : message
        .replace(MANAGED, 'tick the box below')
        .replace(FORCED, '')
        .replaceAll(/[^.]*force=true[^.]*\./g, '')
  return warningText(reported.trim())
}

/** Advice in messages for which the page has a button, or that is not for its reader. */
const ADVICE = [
  [/ Press its red button(?: \(\S+\))?, or the one for both \(`pair: true`\)\./, ''],
  [' The key does not include its app.', ' Someone who sees its app can stop it.'],
] as const

/** Returns a message of the service without codes of the API and without such advice. */
export const warningText = (message: string): string =>
  plainText(ADVICE.reduce((text, [advice, word]) => text.replace(advice, word), message))
