import { refuseField } from '#foundation/core/problems/problem'
import { MAX_VERSION_PART, parseVersion, type Version } from '#workflow/version'

/** @throws invalid_input unless the text is a version of 1 to 3 numeric parts. */
export function requireVersion(text: string, pointer: string): Version {
  const version = parseVersion(text)
  if (version) return version
  throw refuseField(
    pointer,
    'version',
    `A version has 1 to 3 numeric parts of at most ${MAX_VERSION_PART}, like 1.4 or 1.4.2.`
  )
}
