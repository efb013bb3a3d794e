import { compareVersions, parseVersion, type Version } from '#workflow/version'

type Sign = '>=' | '<=' | '>' | '<' | '='

/** One bound of a range: `>=4.2.0`. */
interface Bound {
  sign: Sign
  version: Version
  /** As it was written. */
  text: string
}

const BOUND = /^(>=|<=|>|<|==?|v)?\s*v?(\d[\d.]*)$/

/**
 * Reads a range of versions as providers write them: bounds that all hold, separated by spaces,
 * commas or `&&`. Returns null for any other text.
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
    const sign = match[1] === undefined || match[1] === 'v' || match[1] === '==' ? '=' : match[1]
    return { sign: sign as Sign, version, text: match[2] }
  })
  return bounds.length > 0 && bounds.every((bound) => bound !== null) ? bounds : null
}

/** Returns whether a version is within all bounds. */
export function isWithin(bounds: readonly Bound[], version: Version): boolean {
  return bounds.every(({ sign, version: bound }) => {
    const order = compareVersions(version, bound)
    if (sign === '=') return order === 0
    if (sign.startsWith('>')) return sign === '>=' ? order >= 0 : order > 0
    return sign === '<=' ? order <= 0 : order < 0
  })
}
