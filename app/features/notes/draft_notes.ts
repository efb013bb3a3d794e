import { compareTexts } from '../../foundation/core/compare_texts.js'
import { lengthOf } from '#foundation/core/text'
import { subjectOf } from '../code/read_commit.js'
import type { ShownCommit, ShownPull, ShownTicket } from '../tables.js'
import { withoutAddresses } from './addresses.js'
import type { NoteWords } from './heading_words.js'

/** A work item, as far as notes need it. */
export interface NotedItem {
  id: string
  ticket: ShownTicket | null
  code: readonly (ShownCommit | ShownPull)[]
}

/** The readers of notes. Testers see every item, with its key. */
type Audience = 'users' | 'testers'

type Group = 'added' | 'improved' | 'fixed' | 'other'
const GROUPS: readonly Group[] = ['added', 'improved', 'fixed', 'other']

/** One line of the notes, and the items that it covers. */
interface NoteLine {
  group: Group
  text: string
  ids: string[]
}

/** `feat(login)!: …`, as Conventional Commits have it. */
const CONVENTIONAL = /^([a-z]{2,12})(?:\([^()]{0,60}\))?!?:\s*(?=\S)/i
const GROUP_OF_TYPE: Record<string, Group | 'inside'> = {
  feat: 'added',
  feature: 'added',
  add: 'added',
  fix: 'fixed',
  bugfix: 'fixed',
  hotfix: 'fixed',
  perf: 'improved',
  improve: 'improved',
  improvement: 'improved',
  chore: 'inside',
  ci: 'inside',
  build: 'inside',
  test: 'inside',
  tests: 'inside',
  docs: 'inside',
  refactor: 'inside',
  style: 'inside',
  deps: 'inside',
  wip: 'inside',
}
const BY_WORD: readonly [RegExp, Group | 'inside'][] = [
  [/^(fix(e[sd]|ing)?|bug|crash(es)?|resolved?|correct(s|ed)?|repair(s|ed)?)\b/i, 'fixed'],
  [/^(add(s|ed|ing)?|new|introduc(e|es|ed|ing)|support(s|ed)?|allow(s|ed)?)\b/i, 'added'],
  [
    /^(improv(e|es|ed|ing)|faster|speed|optimi[sz](e|es|ed)|polish(es|ed)?|update(s|d)?)\b/i,
    'improved',
  ],
  [/^(bump|merge|revert|tidy|clean ?up|refactor(s|ed)?|rename[sd]?|version) ?/i, 'inside'],
]
const KEY_AT_THE_BEGINNING =
  /^[[(]?(?:[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,9}|#\d{1,9})[\])]?[:\s-]+(?=\S)/
const NUMBER_AT_THE_END = /\s*\((?:#\d{1,9}|[A-Za-z][A-Za-z0-9_]{0,19}-\d{1,9})\)$/

/** Returns the lines for work items, sorted by group and text, whatever the order of the items. */
export function noteLines(items: readonly NotedItem[], audience: Audience): NoteLine[] {
  const lines = new Map<string, NoteLine>()
  for (const item of items) {
    const { title, key, isTicket } = titleOf(item)
    const { text, group } = readTitle(title)
    if (text === '') continue
    // Internal work is shown to testers, or if it has a ticket.
    const isHidden = group === 'inside' && audience === 'users' && !isTicket
    if (isHidden) continue
    const shown = audience === 'testers' && key !== null ? `${text} (${key})` : text
    const name = shown.toLowerCase()
    const own = group === 'inside' ? 'other' : group
    const line = lines.get(name) ?? { group: own, text: shown, ids: [] }
    line.ids.push(item.id)
    // Texts that differ in case alone share a line, with the same spelling whichever comes first.
    if (shown < line.text) line.text = shown
    if (GROUPS.indexOf(own) < GROUPS.indexOf(line.group)) line.group = own
    lines.set(name, line)
  }
  return [...lines.values()]
    .map((line) => ({ ...line, ids: line.ids.sort() }))
    .sort(
      (one, other) =>
        GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group) ||
        compareTexts(one.text, other.text)
    )
}

function titleOf({ ticket, code }: NotedItem) {
  const pull = code.find((each) => each.type === 'pullRequest')
  const commit = code.find((each) => each.type === 'commit')
  const key = ticket?.key ?? (pull ? `#${pull.number}` : (commit?.hash.slice(0, 8) ?? null))
  const title = ticket?.title || pull?.title || subjectOf(commit?.message ?? '')
  return { title, key, isTicket: ticket !== null }
}

/**
 * Returns a title without keys, numbers, types and addresses, as one line that begins like a
 * sentence.
 */
function readTitle(title: string): { text: string; group: Group | 'inside' } {
  let text = withoutAddresses(oneLine(title))
  let group: Group | 'inside' | null = null
  for (let round = 0; round < 4; round++) {
    const before = text
    text = text.replace(KEY_AT_THE_BEGINNING, '').replace(NUMBER_AT_THE_END, '')
    const type = CONVENTIONAL.exec(text)
    const known = type && GROUP_OF_TYPE[type[1].toLowerCase()]
    if (type && known) {
      text = text.slice(type[0].length)
      group ??= known
    }
    if (text === before) break
  }
  group ??= BY_WORD.find(([word]) => word.test(text))?.[1] ?? 'other'
  const [first = '', ...rest] = text
  return { text: first.toUpperCase() + rest.join(''), group }
}

/**
 * Returns one line of plain text, without line breaks, invisible characters and direction marks.
 */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Notes as text, and the items they mention. */
interface Notes {
  notes: string
  basedOn: string[]
}

/**
 * Writes lines under their headings, as many as fit, and the number of omitted lines if that fits.
 * @param limit most characters, in code points
 */
export function writeNotes(lines: readonly NoteLine[], words: NoteWords, limit: number): Notes {
  if (lines.length === 0) return { notes: cut(words.nothing, limit), basedOn: [] }
  const written = (count: number) => textOf(lines.slice(0, count), lines.length - count, words)
  const fits = (count: number) => lengthOf(written(count)) <= limit
  // More lines always make a longer text, so a binary search finds how many fit.
  let tooMany = Math.min(lines.length, limit)
  let most = tooMany === lines.length && fits(tooMany) ? tooMany : 0
  while (most + 1 < tooMany) {
    const middle = Math.floor((most + tooMany) / 2)
    if (fits(middle)) most = middle
    else tooMany = middle
  }
  if (most === 0) return { notes: cut(lines[0].text, limit), basedOn: lines[0].ids }
  return { notes: written(most), basedOn: idsOf(lines.slice(0, most)) }
}

function textOf(lines: readonly NoteLine[], omitted: number, words: NoteWords): string {
  const parts = GROUPS.flatMap((group) => {
    const own = lines.filter((line) => line.group === group)
    return own.length === 0
      ? []
      : [[words[group], ...own.map(({ text }) => `• ${text}`)].join('\n')]
  })
  return [...parts, ...(omitted > 0 ? [words.more(omitted)] : [])].join('\n\n')
}

const idsOf = (lines: readonly NoteLine[]) => lines.flatMap(({ ids }) => ids).sort()

/** Shortens a text to a number of code points; an ellipsis marks the cut. */
export function cut(text: string, limit: number): string {
  const points = [...text]
  return points.length <= limit
    ? text
    : `${points
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
}
