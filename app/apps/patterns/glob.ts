import { createRequire } from 'node:module'
import type * as re2js from 're2js'
import { MAX_PATTERN_LENGTH } from './parse_pattern.js'

const require = createRequire(import.meta.url)

/** Returns the problem of a file pattern in words, or null when it is valid. */
export function globProblem(source: string): string | null {
  if (source.trim() === '') return 'A file pattern cannot be empty'
  if (source.length > MAX_PATTERN_LENGTH) {
    return `A file pattern has at most ${MAX_PATTERN_LENGTH} characters; this one has ${source.length}`
  }
  return null
}

/**
 * Compiles a file pattern. `*` matches any text, `?` one character, everything else itself. Names
 * are matched whole, in time linear in their length.
 */
export function compileGlob(source: string): (name: string) => boolean {
  // Loaded lazily on the first match, like branch patterns.
  const { RE2JS } = require('re2js') as typeof re2js
  const expression = source.replace(/\*+|\?|[^*?]+/g, (piece) => {
    if (piece.startsWith('*')) return '.*'
    return piece === '?' ? '.' : RE2JS.quote(piece)
  })
  const compiled = RE2JS.compile(expression, RE2JS.DOTALL)
  return (name) => compiled.matcher(name).matches()
}
