import { compareVersions, parseVersion, type Version } from '#workflow/version'

type Operator = '>=' | '<=' | '>' | '<' | '='

/** One bound of a range: `>=4.2.0`. */
interface Bound {
  operator: Operator
  version: Version
  /** The version as it was written. */
  text: string
}

const BOUND = /^(>=|<=|>|<|==?|v)?\s*v?(\d[\d.]*)$/

/**
 * Parses a range of versions: bounds separated by spaces, commas or `&&`, all of which must hold.
 * Returns null for any other text.
 */
export function readRange(range: string): Bound[] | null {
  const words = range
    .replace(/([<>=]=?)\s+/g, '$1')
    .split(/\s*(?:,|&&)\s*|\s+/)
    .filter((word) => word !== '')
  const bounds = words.map((word): Bound | null => {
    const match = BOUND.exec(word)
    const version = match && parseVersion(match[2])
    if (!match || !version) return null
    const operator =
      match[1] === undefined || match[1] === 'v' || match[1] === '==' ? '=' : match[1]
    return { operator: operator as Operator, version, text: match[2] }
  })
  return bounds.length > 0 && bounds.every((bound) => bound !== null) ? bounds : null
}

/** Returns whether a version is within all bounds. */
export function isWithin(bounds: readonly Bound[], version: Version): boolean {
  return bounds.every(({ operator, version: bound }) => {
    const order = compareVersions(version, bound)
    if (operator === '=') return order === 0
    if (operator.startsWith('>')) return operator === '>=' ? order >= 0 : order > 0
    return operator === '<=' ? order <= 0 : order < 0
  })
}
