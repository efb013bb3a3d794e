import { createRequire } from 'node:module'
import type * as re2js from 're2js'
import type { PatternPart } from './parse_pattern.js'
import type { TokenName } from './tokens.js'

const require = createRequire(import.meta.url)

/** Returns the values of a pattern's tokens in a text, in order; null if it does not match. */
export type Matcher = (text: string) => string[] | null

/**
 * A matcher of whole texts for a pattern. The expression is one of RE2, whose time is linear in
 * the text whatever the pattern: people write patterns, and one that backtracks could stop the
 * process.
 */
export function compileMatcher(parts: readonly PatternPart[]): Matcher {
  // Loaded by the first match: 5 MB that a process which matches nothing does without.
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

/** Any text is taken as short as possible, so that the numbers after it stay whole. */
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

/** One to three numbers, at least `least` of them. */
function conciseExpression(least: number): string {
  const third = `(?:\\.${number()})${least >= 3 ? '' : '?'}`
  const second = `(?:\\.${number()}${third})${least >= 2 ? '' : '?'}`
  return `${number()}${second}`
}
