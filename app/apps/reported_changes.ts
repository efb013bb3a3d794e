import type { ConfigurationChange } from './extensions.js'

/** Maximum length of the changes that a timeline entry includes with values, in characters. */
const MAX_CHARACTERS = 16_384

/**
 * Returns changes of a configuration as timelines show them. When they are too long to store with
 * every release, the old and new values are left out, and the path and effect remain.
 */
export function reportedChanges(
  changes: readonly ConfigurationChange[]
): Partial<ConfigurationChange>[] {
  if (JSON.stringify(changes).length <= MAX_CHARACTERS) return [...changes]
  return changes.map(({ op, path, effect }) => ({ op, path, effect }))
}
