import { refuse } from '#foundation/core/problems/problem'
import { tools } from './catalog.js'
import type { Tool } from './tool.js'

/** Tools that are listed together, by their names. Each is in one. */
export const SETS = {
  default: [
    'look_around',
    'find_releases',
    'why_not_moving',
    'read_timeline',
    'manage_release',
    'find_items',
    'set_items',
    'approve',
    'store_texts',
    'submit_to_store',
    'rollout',
    'fixes',
  ],
  plan: ['read_plan', 'change_plan', 'define_items'],
  changes: ['triage', 'find_changes', 'feature_flags'],
  builds: ['find_builds', 'distribute_builds'],
  admin: ['configuration', 'organization_admin'],
} as const satisfies Record<string, readonly string[]>

const ALL = 'all'
const USUAL = 'default'

/** What is wrong with the names of some sets; null where there are such sets. */
export function faultOfSets(asked: string): string | null {
  const wrong = namesIn(asked).find((name) => name !== ALL && !Object.hasOwn(SETS, name))
  if (wrong === undefined) return null
  const known = [...Object.keys(SETS), ALL].join(', ')
  return `There is no set of tools "${wrong.slice(0, 60)}". There are: ${known}.`
}

const namesIn = (asked: string) => asked.split(',').map((name) => name.trim())

/**
 * The tools of some sets, in the order of the catalogue.
 * @param asked names with commas between them
 * @throws invalid_query that names those there are
 */
export function toolsOf(asked = USUAL): readonly Tool[] {
  const message = faultOfSets(asked)
  if (message !== null) {
    const errors = [{ parameter: 'tools', code: 'enum', message }]
    throw refuse('invalid_query', { detail: message, errors })
  }
  const names = namesIn(asked)
  const chosen = new Set<string>(
    names.flatMap((name) => (name === ALL ? [] : SETS[name as keyof typeof SETS]))
  )
  return names.includes(ALL) ? tools : tools.filter(({ name }) => chosen.has(name))
}
