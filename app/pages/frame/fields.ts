import type { Fields } from './page.js'

/** Returns what was typed into a field; null for a field that is empty, missing or given twice. */
export function textOf(fields: Fields, name: string): string | null {
  const given = fields[name]
  return typeof given === 'string' && given.trim() !== '' ? given.trim() : null
}
