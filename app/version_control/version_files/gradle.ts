import { linesOf } from './lines.ts'
import { highest, only, occurrenceAt, type Locate, type Occurrence } from './occurrence.ts'
import { tokensOf, type Language, type Token } from './tokens.ts'

const SETTING = 'versionName'
const GROOVY: Language = {
  format: 'Gradle script',
  quotes: ['"""', "'''", '"', "'"],
  word: /[A-Za-z_$][A-Za-z0-9_$]*/y,
}
const KOTLIN: Language = { ...GROOVY, quotes: ['"""', '"', "'"], raw: ['"""'], nests: true }

/** Locates `versionName` in a Gradle script. */
export const locateInGroovy: Locate = (text) => locateIn(GROOVY, text)
export const locateInKotlin: Locate = (text) => locateIn(KOTLIN, text)

function locateIn(language: Language, text: string): Occurrence[] {
  const found: (Occurrence | null)[] = []
  let setting: Token | null = null
  for (const token of tokensOf(text, language)) {
    if (token.kind === 'word' && token.text === SETTING) {
      setting = token
      continue
    }
    if (setting === null) continue
    const isBound = setting.text !== SETTING
    if (!isBound && (token.text === '=' || token.text === '(') && token.kind === 'sign') {
      setting = token
      continue
    }
    // Any other sign means that the setting is used, for example compared, and not set.
    const isSet = token.kind !== 'sign'
    if (isSet)
      found.push(token.kind === 'string' ? occurrenceAt(text, token.start, token.end) : null)
    setting = null
  }
  return highest(SETTING, found)
}

/** Names of version properties in projects, most specific first. */
const NAMES: readonly RegExp[] = [/versionname$/, /^(app|marketing)?version$/]

/** Locates `VERSION_NAME`, `appVersionName`, `version` and similar names in a properties file. */
export const locateInProperties: Locate = (text) => {
  const entries = [...propertiesOf(text)]
  for (const name of NAMES) {
    const named = entries.filter(({ key }) => name.test(key))
    if (named.length > 0) {
      return only(
        named[0].shown,
        named.map(({ start, end }) => occurrenceAt(text, start, end))
      )
    }
  }
  return only('VERSION_NAME', [])
}

function* propertiesOf(text: string) {
  let isContinued = false
  for (const { start, end } of linesOf(text)) {
    const wasContinued: boolean = isContinued
    const line = text.slice(start, end)
    const isComment: boolean = !wasContinued && /^[ \t\f]*[#!]/.test(line)
    isContinued = !isComment && /(?<!\\)(\\\\)*\\$/.test(line.slice(-100))
    if (wasContinued) continue
    const [whole, shown] = /^[ \t\f]*([A-Za-z][\w.-]*)[ \t\f]*[=:\s]/.exec(line) ?? []
    if (whole === undefined) continue
    const key = shown.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    // In `key = value`, the sign comes after the space.
    const sign = /^[ \t\f]*[=:]/.exec(line.slice(whole.length - 1))?.[0].length ?? 1
    yield { key, shown, start: start + whole.length - 1 + sign, end }
  }
}
