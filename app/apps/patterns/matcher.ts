import { createRequire } from 'node:module'
import type * as re2js from 're2js'
import type { PatternPart } from './parse_pattern.js'
import type { TokenName } from './tokens.js'

const require = createRequire(import.meta.url)

/** Returns the text that each token of a pattern matched, in order, or null without a match. */
export type Matcher = (text: string) => string[] | null

/**
 * Compiles a pattern into a matcher of whole texts. It uses RE2, whose time is linear in the text
 * for any pattern: patterns are user input, and a backtracking one could block the process.
 */
export function compileMatcher(parts: readonly PatternPart[]): Matcher {
  // Loaded lazily on the first match: the library takes 5 MB.
  const { RE2JS } = require('re2js') as typeof re2js
  const expression = parts
    .map((part) => (part.kind === 'text' ? RE2JS.quote(part.text) : `(${tokenExpression(part)})`))
    .join('')
  const compiled = RE2JS.compile(expression, RE2JS.DOTALL)
  const groups = compiled.groupCount()
  return (text) => {
    const matcher = compiled.matcher(text)
    if (!matcher.matches()) return null
    return Array.from({ length: groups }, (_, index) => matcher.group(index + 1) ?? '')
  }
}

interface TokenPart {
  name: TokenName
  padding: readonly number[]
}

/**
 * Returns the expression of a token. Tokens for any text match as little as possible, so that the
 * numbers after them stay whole.
 */
function tokenExpression({ name, padding }: TokenPart): string {
  switch (name) {
    case 'version':
      return [0, 1, 2].map((part) => number(padding[part])).join('\\.')
    case 'versionMajorMinor':
      return `${number()}\\.${number()}`
    case 'versionConcise':
      return conciseExpression(padding[0] ?? 1)
    case '*':
      return '.*?'
    case 'appStoreBuildNumber':
      return '[0-9.]+'
    default:
      return '.+?'
  }
}

function number(width = 1): string {
  return `[0-9]{${Math.max(width, 1)},}`
}

/** Returns an expression for one to three numbers, at least `least` of them. */
function conciseExpression(least: number): string {
  const third = `(?:\\.${number()})${least >= 3 ? '' : '?'}`
  const second = `(?:\\.${number()}${third})${least >= 2 ? '' : '?'}`
  return `${number()}${second}`
}
