/** A version as it stands in a text: from `start` to before `end`, in UTF-16 units. */
export interface Occurrence {
  start: number
  end: number
  version: string
}

/** Finds every version in a file of one kind. @throws VersionFileFault */
export type Locate = (text: string) => Occurrence[]

/** Why the version of a file cannot be read or written. */
export const VERSION_FILE_FAULTS = [
  'unknown_file',
  'not_found',
  'not_what_it_says',
  'no_version',
  'no_plain_version',
  'several_versions',
] as const
type FaultCode = (typeof VERSION_FILE_FAULTS)[number]

/** The message ends a sentence that begins with the file. */
export class VersionFileFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.code = code
  }
}

export const malformed = (format: string) =>
  new VersionFileFault('not_what_it_says', `is no ${format}`)

/** Numbers with dots between them, followed by a pre-release or build identifier, if any. */
const VERSION = /^\d{1,9}(\.\d{1,9}){0,3}([-+.][0-9A-Za-z][0-9A-Za-z.+-]{0,99})?$/

/** Returns the version between two bounds, without white space around it; null if there is none. */
export function occurrenceAt(text: string, from: number, to: number): Occurrence | null {
  let [start, end] = [from, to]
  while (start < end && isSpace(text, start)) start += 1
  while (start < end && isSpace(text, end - 1)) end -= 1
  const version = text.slice(start, Math.min(end, start + MAX_LENGTH + 1))
  return VERSION.test(version) ? { start, end, version } : null
}

const MAX_LENGTH = 200

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/**
 * Returns the occurrences that count if a file sets a version several times: those of the highest
 * version, since a test target or a flavour may have another one.
 * @param values the values that were found; null for one that is no plain version
 * @throws VersionFileFault
 */
export function highest(setting: string, values: readonly (Occurrence | null)[]): Occurrence[] {
  if (values.length === 0) throw new VersionFileFault('no_version', `sets no ${setting}`)
  const occurrences = values.filter((each) => each !== null)
  if (occurrences.length === 0) {
    const message = `sets ${setting} to no plain version, but to what is set elsewhere`
    throw new VersionFileFault('no_plain_version', message)
  }
  const top = occurrences.reduce((best, each) =>
    compare(each.version, best.version) > 0 ? each : best
  )
  return occurrences.filter(({ version }) => compare(version, top.version) === 0)
}

/** Returns the only occurrence. @throws VersionFileFault if there are several, or none */
export function only(setting: string, values: readonly (Occurrence | null)[]): Occurrence[] {
  if (values.length > 1) {
    throw new VersionFileFault('several_versions', `sets ${setting} more than once`)
  }
  return highest(setting, values)
}

/** Compares the numbers of two versions; what follows them does not count. */
export function compare(one: string, other: string): number {
  const [left, right] = [one, other].map(numbersOf)
  for (let index = 0; index < 4; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}

const numbersOf = (version: string) => /^[\d.]*/.exec(version)![0].split('.').map(Number)
