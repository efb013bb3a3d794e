import { MAX_PATTERN_LENGTH } from './parse_pattern.js'

/** What is wrong with a file pattern, in words; null when it is fine. */
export function globProblem(source: string): string | null {
  if (source.trim() === '') return 'A file pattern cannot be empty'
  if (source.length > MAX_PATTERN_LENGTH) {
    return `A file pattern holds at most ${MAX_PATTERN_LENGTH} characters, this one ${source.length}`
  }
  return null
}
