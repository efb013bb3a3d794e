import type { Place } from '../yaml/tree.js'
import { formatPath, formatPointer, type Path } from './path.js'

export type ConfigurationProblemCode =
  | 'required'
  | 'unknown_key'
  | 'unknown_value'
  | 'wrong_type'
  | 'too_long'
  | 'too_many'
  | 'out_of_range'
  | 'blank'
  | 'control_character'
  | 'invalid_email'
  | 'invalid_url'
  | 'duplicate'
  | 'not_allowed'
  | 'wrong_order'
  | 'conflict'
  | 'provider_unknown'
  | 'provider_ambiguous'
  | 'provider_mismatch'
  | 'provider_unavailable'
  | 'integration_unknown'
  | 'integration_mismatch'
  | 'invalid_data'
  | 'member_unknown'
  | 'member_ambiguous'
  | 'unchangeable'
  | 'unknown_destination'
  | 'invalid_date'
  | 'invalid_time'
  | 'invalid_timezone'
  | 'never_finishes'
  | 'more_problems'
  | `pattern_${string}`

/** One thing that is wrong with a file, in words that say what would be right. */
export interface ConfigurationProblem extends Place {
  /** `stepGroups[1].steps[0].archetype` */
  path: string
  /** The same as a JSON pointer. */
  pointer: string
  code: ConfigurationProblemCode
  message: string
  suggestion?: string
}

/** Problems listed in one answer at most; what is beyond is counted. */
export const MAX_PROBLEMS = 500

/** Where a value stands: its path in the file and its line. */
export interface Location {
  path: Path
  place: Place
}

export class ProblemList {
  readonly #problems: ConfigurationProblem[] = []
  #omitted = 0

  add(
    { path, place }: Location,
    code: ConfigurationProblemCode,
    message: string,
    suggestion?: string
  ): void {
    if (this.#problems.length === MAX_PROBLEMS) {
      this.#omitted += 1
      return
    }
    this.#problems.push({
      path: formatPath(path),
      pointer: formatPointer(path),
      line: place.line,
      column: place.column,
      code,
      message:
        suggestion === undefined ? message : `${message}; did you mean ${quote(suggestion)}?`,
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  }

  get size(): number {
    return this.#problems.length
  }

  /** In the order of the file. */
  list(): ConfigurationProblem[] {
    const sorted = this.#problems.toSorted(
      (one, other) => one.line - other.line || one.column - other.column
    )
    if (this.#omitted === 0) return sorted
    const message = `${this.#omitted} more problems are not listed`
    const last = { path: '', pointer: '', line: 1, column: 1 }
    return [...sorted, { ...last, code: 'more_problems', message }]
  }
}

const MAX_SHOWN = 80

/** A word of the file as a message shows it. */
export function quote(word: string): string {
  return `"${word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word}"`
}

/** `a, b or c` */
export function either(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
