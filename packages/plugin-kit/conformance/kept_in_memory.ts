import type { Kept } from '../context.js'

/** Returns storage for the values that a plugin keeps, in memory. */
export function keptInMemory(): Kept {
  const values = new Map<string, string>()
  return {
    get: async (name) => values.get(name) ?? null,
    async set(name, value) {
      if (value === null) values.delete(name)
      else values.set(name, value)
    },
  }
}
