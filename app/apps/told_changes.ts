import type { ConfigurationChange } from './parts.js'

/** Most characters of changes that a timeline entry tells with their values. */
const MAX_CHARACTERS = 16_384

/**
 * Changes of a configuration as timelines tell them. Where they are too long to be kept with
 * every release, what was and is there is left out, and what was changed is still said.
 */
export function toldChanges(
  changes: readonly ConfigurationChange[]
): Partial<ConfigurationChange>[] {
  if (JSON.stringify(changes).length <= MAX_CHARACTERS) return [...changes]
  return changes.map(({ op, path, effect }) => ({ op, path, effect }))
}
