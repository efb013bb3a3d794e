import type { PolicyWarning } from '#rollouts/policy/policy'
import { Guesses } from '#foundation/core/did_you_mean'
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

/** A problem of a file. The message says what is expected. */
export interface ConfigurationProblem extends Place {
  /** For example `stepGroups[1].steps[0].archetype`. */
  path: string
  /** The path as a JSON pointer. */
  pointer: string
  code: ConfigurationProblemCode
  message: string
  suggestion?: string
}

/** A warning about a valid file. */
export interface ConfigurationWarning extends Omit<ConfigurationProblem, 'code' | 'suggestion'> {
  code: PolicyWarning['code'] | 'drafts' | 'managed_publishing'
}

/** Maximum number of problems listed in one response. The others are only counted. */
export const MAX_PROBLEMS = 500

/** The location of a value: its path in the file and its line. */
export interface Location {
  path: Path
  place: Place
}

export class ProblemList {
  readonly #problems: ConfigurationProblem[] = []
  readonly #warnings: ConfigurationWarning[] = []
  readonly guesses = new Guesses()
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
      ...locationOf({ path, place }),
      code,
      message:
        suggestion === undefined ? message : `${message}; did you mean ${quote(suggestion)}?`,
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  }

  warn(location: Location, code: ConfigurationWarning['code'], message: string): void {
    this.#warnings.push({ ...locationOf(location), code, message })
  }

  /** The warnings in the order of the file. */
  get warnings(): ConfigurationWarning[] {
    return this.#warnings.toSorted(byPlace)
  }

  /** Records an invalid word, and suggests the most similar valid one. */
  addUnknown(
    at: Location,
    code: ConfigurationProblemCode,
    message: string,
    word: string,
    candidates: Iterable<string>
  ): void {
    const isListed = this.#problems.length < MAX_PROBLEMS
    this.add(at, code, message, isListed ? this.guesses.didYouMean(word, candidates) : undefined)
  }

  get size(): number {
    return this.#problems.length
  }

  /** Returns the problems in the order of the file. */
  list(): ConfigurationProblem[] {
    const sorted = this.#problems.toSorted(byPlace)
    if (this.#omitted === 0) return sorted
    const message = `${this.#omitted} more problems are not listed`
    const last = { path: '', pointer: '', line: 1, column: 1 }
    return [...sorted, { ...last, code: 'more_problems', message }]
  }
}

const locationOf = ({ path, place }: Location) => ({
  path: formatPath(path),
  pointer: formatPointer(path),
  line: place.line,
  column: place.column,
})

const byPlace = (one: Place, other: Place) => one.line - other.line || one.column - other.column

const MAX_SHOWN = 80

/** Quotes a word of the file for a message, shortened if necessary. */
export function quote(word: string): string {
  return `"${word.length > MAX_SHOWN ? `${word.slice(0, MAX_SHOWN)}…` : word}"`
}

const MAX_NAMED = 20

/** Lists the first names and the number of the remaining ones. */
export function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMED
  const listed = names.slice(0, MAX_NAMED).join(', ')
  return more > 0 ? `${listed} and ${more} more` : listed
}

/** Joins words: `a, b or c`. */
export function either(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
