import { isMap, isScalar, parseDocument } from 'yaml'
import { malformed, only, occurrenceAt, type Locate, type Occurrence } from './occurrence.ts'

const MARK = /^\ufeff/

/** The longest pubspec that is read, in characters: YAML takes many times as long as JSON. */
const MAX_PUBSPEC_LENGTH = 128 * 1024

/** Locates `version` in a Flutter package; the number of the build behind a plus sign stays. */
export const locateInPubspec: Locate = (text) => {
  if (text.length > MAX_PUBSPEC_LENGTH) throw malformed('pubspec: it is too long')
  const offset = MARK.test(text) ? 1 : 0
  // The parser's own check for duplicate keys takes quadratic time.
  const { contents, errors } = parseDocument(text.slice(offset), {
    uniqueKeys: false,
    prettyErrors: false,
  })
  if (errors.length > 0 || !isMap(contents)) throw malformed('pubspec')
  const found = contents.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || key.value !== 'version') return []
    if (!isScalar(value) || !value.range) return [null]
    const [start, end] = value.range
    return [pubVersion(text, start + offset, end + offset)]
  })
  return only('version', found)
}

function pubVersion(text: string, from: number, to: number): Occurrence | null {
  const isQuoted = /["']/.test(text[from] ?? '')
  const [start, end] = isQuoted ? [from + 1, to - 1] : [from, to]
  const plus = text.indexOf('+', start)
  const whole = occurrenceAt(text, start, end)
  return whole && plus !== -1 && plus < end ? occurrenceAt(text, start, plus) : whole
}

/** Locates `version` in a package of npm. */
export const locateInPackage: Locate = (text) => only('version', stringsAt(text, [['version']]))

/** Locates `expo.version` in an app of Expo, or `version` where there is no Expo. */
export const locateInApp: Locate = (text) =>
  only('version', stringsAt(text, [['expo', 'version'], ['version']]))

/**
 * Returns the values at the first of the paths that exists.
 * @throws VersionFileFault
 */
function stringsAt(text: string, paths: readonly string[][]): (Occurrence | null)[] {
  try {
    JSON.parse(text.replace(MARK, ''))
  } catch {
    throw malformed('JSON')
  }
  for (const path of paths) {
    const found = [...valuesAt(text, path)]
    if (found.length > 0) return found
  }
  return []
}

interface Level {
  isObject: boolean
  isKey: boolean
  key: string | null
}

/** Yields the values at a path of a valid JSON text. */
function* valuesAt(text: string, path: readonly string[]): Generator<Occurrence | null> {
  const levels: Level[] = []
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g)) {
    const level = levels.at(-1)
    const isHere =
      level?.isKey === false &&
      levels.length === path.length &&
      levels.every(({ isObject, key }, depth) => isObject && key === path[depth])
    if (token === ':') level!.isKey = false
    else if (token === ',') level!.isKey = level!.isObject
    else if (token === '}' || token === ']') levels.pop()
    else if (level?.isKey) level.key = JSON.parse(token) as string
    else {
      const isText = token.startsWith('"')
      if (isHere) yield isText ? occurrenceAt(text, index + 1, index + token.length - 1) : null
      if (token === '{' || token === '[') {
        levels.push({ isObject: token === '{', isKey: token === '{', key: null })
      }
    }
  }
}
