import { linesOf } from './lines.ts'
import { highest, malformed, occurrenceAt, type Locate, type Occurrence } from './occurrence.ts'
import { tokensOf, type Token } from './tokens.ts'

const SETTING = 'MARKETING_VERSION'
/** The name of the setting, with or without conditions. */
const NAMED = /^MARKETING_VERSION(\[[^\]]*\])*$/
const PROJECT = {
  format: 'Xcode project',
  quotes: ['"', "'"],
  word: /(?:[A-Za-z0-9_.$:-]|\/(?![/*]))+/y,
}

/**
 * Locates `MARKETING_VERSION` in the build configurations of an Xcode project, also under a
 * condition.
 */
export const locateInProject: Locate = (text) => {
  const found: (Occurrence | null)[] = []
  let last: Token[] = []
  let first: Token | undefined
  for (const token of tokensOf(text, PROJECT)) {
    first ??= token
    last = [...last.slice(-2), token]
    const [name, sign, value] = last
    if (value === undefined || !NAMED.test(name.text) || name.kind === 'sign') continue
    if (sign.text !== '=' || value.kind === 'sign') continue
    found.push(occurrenceAt(text, value.start, value.end))
  }
  if (first?.text !== '{') throw malformed(PROJECT.format)
  return highest(SETTING, found)
}

/** Locates `MARKETING_VERSION` in a file of Xcode build settings, also under a condition. */
export const locateInBuildSettings: Locate = (text) => {
  const found: (Occurrence | null)[] = []
  for (const { start, end } of linesOf(text)) {
    const name = /[ \t]*MARKETING_VERSION(?=[ \t=[])/y
    name.lastIndex = start
    if (!name.test(text)) continue
    const [rest] = text.slice(name.lastIndex, end).split('//', 1)
    const sign = /^(?:[ \t]*\[[^\]]*\])*[ \t]*=/.exec(rest)
    const from = name.lastIndex
    if (sign) found.push(occurrenceAt(text, from + sign[0].length, from + rest.length))
  }
  return highest(SETTING, found)
}
