import { TOKEN_NAMES, VERSION_TOKENS, type TokenName } from './tokens.js'

/** Maximum length of a pattern or glob, in characters. */
export const MAX_PATTERN_LENGTH = 256

export type PatternPart =
  | { kind: 'text'; text: string }
  | { kind: 'token'; name: TokenName; padding: readonly number[] }

type PatternProblemCode =
  | 'pattern_empty'
  | 'pattern_too_long'
  | 'pattern_malformed'
  | 'pattern_token_unknown'
  | 'pattern_padding_invalid'
  | 'pattern_token_misplaced'
  | 'pattern_token_required'

/** A problem of a pattern, in words for the person who wrote it. */
export interface PatternProblem {
  code: PatternProblemCode
  message: string
  suggestion?: string
  /** The name between the braces when it is no known token. */
  token?: string
}

interface ParsedPattern {
  parts: PatternPart[]
  problems: PatternProblem[]
}

const MAX_PAD = 9
const MAX_TOKEN_LENGTH = 40

/** Splits a pattern into text and tokens, and lists every spelling problem. */
export function parsePattern(pattern: string, bareStar = false): ParsedPattern {
  if (pattern.trim() === '') {
    return {
      parts: [],
      problems: [{ code: 'pattern_empty', message: 'A pattern cannot be empty' }],
    }
  }
  if (pattern.length > MAX_PATTERN_LENGTH) {
    const message = `A pattern has at most ${MAX_PATTERN_LENGTH} characters; this one has ${pattern.length}`
    return { parts: [], problems: [{ code: 'pattern_too_long', message }] }
  }
  return new PatternReader(pattern, bareStar).read()
}

class PatternReader {
  readonly #parts: PatternPart[] = []
  readonly #problems: PatternProblem[] = []
  #at = 0

  constructor(
    readonly pattern: string,
    readonly bareStar: boolean
  ) {}

  read(): ParsedPattern {
    while (this.#at < this.pattern.length) {
      const char = this.pattern[this.#at]
      if (char === '{') this.#token()
      else if (char === '}') this.#strayBrace()
      else if (char === '*' && this.bareStar) this.#star()
      else this.#text()
    }
    return { parts: this.#parts, problems: this.#problems }
  }

  #text(): void {
    const stops = this.bareStar ? '{}*' : '{}'
    const start = this.#at
    while (this.#at < this.pattern.length && !stops.includes(this.pattern[this.#at])) this.#at += 1
    this.#parts.push({ kind: 'text', text: this.pattern.slice(start, this.#at) })
  }

  #star(): void {
    while (this.pattern[this.#at] === '*') this.#at += 1
    this.#parts.push({ kind: 'token', name: '*', padding: [] })
  }

  #strayBrace(): void {
    this.#at += 1
    this.#problems.push({
      code: 'pattern_malformed',
      message: 'A closing brace has no opening brace before it',
    })
  }

  #token(): void {
    const end = this.pattern.indexOf('}', this.#at)
    if (end < 0) {
      this.#at = this.pattern.length
      this.#problems.push({
        code: 'pattern_malformed',
        message: 'An opening brace is not closed',
      })
      return
    }
    const name = this.pattern.slice(this.#at + 1, end)
    this.#at = end + 1
    if (!isTokenName(name)) {
      this.#problems.push(unknownToken(name))
      return
    }
    this.#parts.push({ kind: 'token', name, padding: this.#padding(name) })
  }

  /** Reads `[0,0,2]` after `{version}` or `[2]` after `{versionConcise}`. */
  #padding(name: TokenName): readonly number[] {
    if (this.pattern[this.#at] !== '[' || !VERSION_TOKENS.includes(name)) return []
    const end = this.pattern.indexOf(']', this.#at)
    const text = end < 0 ? '' : this.pattern.slice(this.#at + 1, end)
    const numbers = text.split(',').map((part) => part.trim())
    const valid = numbers.every((part) => /^\d$/.test(part)) ? numbers.map(Number) : null
    this.#at = end < 0 ? this.pattern.length : end + 1
    const problem = paddingProblem(name, valid)
    if (problem === null && valid !== null) return valid
    this.#problems.push({
      code: 'pattern_padding_invalid',
      message: problem ?? 'Padding is not valid',
    })
    return []
  }
}

function isTokenName(name: string): name is TokenName {
  return (TOKEN_NAMES as readonly string[]).includes(name)
}

function unknownToken(name: string): PatternProblem {
  const shown = name.length > MAX_TOKEN_LENGTH ? `${name.slice(0, MAX_TOKEN_LENGTH)}…` : name
  return {
    code: 'pattern_token_unknown',
    message: `{${shown}} is not a pattern token; the tokens are ${TOKEN_NAMES.map((token) => `{${token}}`).join(', ')}`,
    token: name,
  }
}

function paddingProblem(name: TokenName, numbers: number[] | null): string | null {
  if (name === 'versionMajorMinor') return '{versionMajorMinor} takes no padding in brackets'
  if (name === 'versionConcise') {
    const least = numbers?.length === 1 ? numbers[0] : 0
    return least >= 1 && least <= 3
      ? null
      : '{versionConcise} takes one number of parts from 1 to 3, as in {versionConcise}[2]'
  }
  return numbers?.length === 3 && numbers.every((pad) => pad <= MAX_PAD)
    ? null
    : '{version} takes three widths from 0 to 9, as in {version}[0,0,2]'
}
