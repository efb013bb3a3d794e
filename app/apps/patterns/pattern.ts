import { Guesses } from '#foundation/core/did_you_mean'
import { normalVersion, parseVersion, type Version } from '#workflow/version'
import { compileMatcher, type Matcher } from './matcher.js'
import { parsePattern, type PatternPart, type PatternProblem } from './parse_pattern.js'
import { PURPOSE_RULES, VERSION_TOKENS, type PatternPurpose, type TokenName } from './tokens.js'

/** The values of tokens when a pattern is written out. The version may be in any of its forms. */
type PatternValues = Partial<Record<Exclude<TokenName, '*'>, string>>

interface PatternMatch {
  /** The version in normal form. Absent when no token gave the whole version. */
  version?: string
  /** The text that each token matched, as written. */
  texts: Partial<Record<TokenName, string>>
}

/**
 * Lists every problem a pattern has for its purpose: spelling, unknown tokens, misplaced tokens and
 * missing tokens.
 */
export function checkPattern(
  pattern: string,
  purpose: PatternPurpose,
  guesses = new Guesses()
): PatternProblem[] {
  const rule = PURPOSE_RULES[purpose]
  const { parts, problems } = parsePattern(pattern, rule.bareStar)
  const names = tokensOf(parts)
  const misplaced = [...new Set(names)].filter((name) => !rule.allowed.includes(name))
  const reported = problems.map((problem) => withSuggestion(problem, rule.allowed, guesses))
  const found = [...reported, ...misplaced.map((name) => misplacedToken(name, purpose))]
  const satisfied =
    !rule.needsOneOf ||
    (rule.mayBeStatic && names.length === 0) ||
    names.some((name) => rule.needsOneOf?.includes(name))
  if (!satisfied && found.length === 0) found.push(missingToken(purpose))
  return found
}

/** Suggests an allowed token that an unknown one was probably meant to be. */
function withSuggestion(
  problem: PatternProblem,
  allowed: readonly TokenName[],
  guesses: Guesses
): PatternProblem {
  const { token, ...reported } = problem
  const meant = token === undefined ? undefined : guesses.didYouMean(token, allowed)
  return meant === undefined ? reported : { ...reported, suggestion: `{${meant}}` }
}

/** A pattern that can be written out and matched. Created by `compilePattern`. */
class Pattern {
  readonly #parts: readonly PatternPart[]
  readonly #names: readonly TokenName[]
  #matcher: Matcher | null = null

  constructor(
    readonly source: string,
    parts: readonly PatternPart[]
  ) {
    this.#parts = parts
    this.#names = tokensOf(parts)
  }

  /** Writes the pattern out. Returns null when a token has no value, or is a wildcard. */
  render(values: PatternValues): string | null {
    let text = ''
    for (const part of this.#parts) {
      const piece = part.kind === 'text' ? part.text : renderToken(part.name, part.padding, values)
      if (piece === null) return null
      text += piece
    }
    return text
  }

  /**
   * Matches a whole text, in time linear in its length. A token that appears twice must have the
   * same value both times. Versions are compared by value.
   */
  match(text: string): PatternMatch | null {
    this.#matcher ??= compileMatcher(this.#parts)
    const texts = this.#matcher(text)
    return texts ? matchOf(this.#names, texts) : null
  }
}

/** Compiles a pattern; throws on a spelling that `checkPattern` refuses. */
export function compilePattern(source: string, purpose: PatternPurpose = 'branch'): Pattern {
  const { parts, problems } = parsePattern(source, PURPOSE_RULES[purpose].bareStar)
  if (problems.length > 0) throw new TypeError(problems[0].message)
  return new Pattern(source, parts)
}

function tokensOf(parts: readonly PatternPart[]): TokenName[] {
  return parts.flatMap((part) => (part.kind === 'token' ? [part.name] : []))
}

function misplacedToken(name: TokenName, purpose: PatternPurpose): PatternProblem {
  const { noun, allowed } = PURPOSE_RULES[purpose]
  const hint =
    allowed.length === 0
      ? 'it is a plain name without tokens'
      : `it can contain ${allowed.map((token) => `{${token}}`).join(', ')}`
  return {
    code: 'pattern_token_misplaced',
    message: `{${name}} cannot be used in a ${noun}: ${hint}`,
  }
}

function missingToken(purpose: PatternPurpose): PatternProblem {
  const { noun, needsOneOf, mayBeStatic } = PURPOSE_RULES[purpose]
  const choices = (needsOneOf ?? []).map((token) => `{${token}}`).join(', ')
  const otherwise = mayBeStatic ? ', or no token at all' : ''
  return {
    code: 'pattern_token_required',
    message: `A ${noun} needs one of ${choices}${otherwise}`,
  }
}

function renderToken(
  name: TokenName,
  padding: readonly number[],
  values: PatternValues
): string | null {
  if (name === '*') return null
  if (!VERSION_TOKENS.includes(name)) return values[name] ?? null
  const version = values.version === undefined ? null : parseVersion(values.version)
  return version ? renderVersion(name, padding, version) : null
}

function renderVersion(name: TokenName, padding: readonly number[], version: Version): string {
  const parts = [version.major, version.minor, version.patch]
  if (name === 'versionMajorMinor') return parts.slice(0, 2).join('.')
  if (name === 'version') {
    return parts.map((part, index) => String(part).padStart(padding[index] ?? 0, '0')).join('.')
  }
  const least = padding[0] ?? 1
  while (parts.length > least && parts.at(-1) === 0) parts.pop()
  return parts.join('.')
}

/** Turns the captured texts into values, or returns null when two readings of a value differ. */
function matchOf(names: readonly TokenName[], captures: readonly string[]): PatternMatch | null {
  const texts: Partial<Record<TokenName, string>> = {}
  const versions: Version[] = []
  const shortVersions: Version[] = []
  for (const [index, name] of names.entries()) {
    const text = captures[index]
    if (VERSION_TOKENS.includes(name)) {
      const version = parseVersion(text)
      if (!version) return null
      ;(name === 'versionMajorMinor' ? shortVersions : versions).push(version)
    } else if (name !== '*' && texts[name] !== undefined && texts[name] !== text) {
      return null
    }
    texts[name] ??= text
  }
  return agree(versions, shortVersions)
    ? { ...(versions.length > 0 ? { version: normalVersion(versions[0]) } : {}), texts }
    : null
}

function agree(versions: readonly Version[], shortVersions: readonly Version[]): boolean {
  const whole = new Set(versions.map(normalVersion))
  const short = new Set(
    [...versions, ...shortVersions].map(({ major, minor }) => `${major}.${minor}`)
  )
  return whole.size <= 1 && short.size <= 1
}
