/** The three numeric parts of a release version; absent parts are 0. */
export interface Version {
  major: number
  minor: number
  patch: number
}

/** Largest value of one part, so that it fits a 32-bit column. */
export const MAX_VERSION_PART = 999_999_999

const FORM = /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/

/** Parses a version of 1 to 3 numeric parts. Returns null for any other text. */
export function parseVersion(text: string): Version | null {
  const match = FORM.exec(text)
  if (!match) return null
  return { major: Number(match[1]), minor: Number(match[2] ?? 0), patch: Number(match[3] ?? 0) }
}

/** Returns a negative number, zero or a positive number if `a` is lower, equal or higher. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch
}

/** Returns the normal form, always three parts without leading zeros: `1.2` is `1.2.0`. */
export function normalVersion(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`
}
