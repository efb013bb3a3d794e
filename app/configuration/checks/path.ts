import { jsonPointer } from '#foundation/core/json_pointer'

/** A path in the file from the top: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[]

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/

/**
 * Formats a path for people: `stepGroups[1].steps[0].archetype`, `buildDistro.buckets["Beta
 * team"]`.
 */
export function formatPath(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

/** Formats a path as a JSON pointer (RFC 6901). */
export function formatPointer(path: Path): string {
  return jsonPointer(...path)
}
