import { refuse } from '#foundation/core/problems/problem'
import { toolNamed, tools } from './catalog.js'
import type { Tool } from './tool.js'

/**
 * Tools that are listed together. Each tool is in one set, but a single action of it may be in
 * another. Tools that are not listed may still be called.
 */
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
  plan: [
    'read_plan',
    'change_plan',
    'define_items',
    'rollout.policy',
    'rollout.set_policy',
    'rollout.pair',
    'rollout.part',
    'fixes.form',
    'fixes.set_form',
  ],
  changes: ['triage', 'find_changes', 'feature_flags'],
  builds: ['find_builds', 'distribute_builds'],
  admin: ['configuration', 'organization_admin'],
} as const satisfies Record<string, readonly string[]>

const ALL = 'all'
const DEFAULT = 'default'

/** Returns an error message if a requested set does not exist; otherwise null. */
export function faultOfSets(requested: string): string | null {
  const unknown = namesIn(requested).find((name) => name !== ALL && !Object.hasOwn(SETS, name))
  if (unknown === undefined) return null
  const known = [...Object.keys(SETS), ALL].join(', ')
  return `There is no set of tools "${unknown.slice(0, 60)}". There are: ${known}.`
}

const namesIn = (requested: string) => requested.split(',').map((name) => name.trim())

/**
 * Returns the tools of the requested sets, in the order of the catalog.
 * @param requested names separated by commas
 * @throws invalid_query that names the existing sets
 */
export function toolsOf(requested = DEFAULT): readonly Tool[] {
  const message = faultOfSets(requested)
  if (message !== null) {
    const errors = [{ parameter: 'tools', code: 'enum', message }]
    throw refuse('invalid_query', { detail: message, errors })
  }
  const names = namesIn(requested)
  if (names.includes(ALL)) return tools
  const chosen = new Set<string>(names.flatMap((name) => SETS[name as keyof typeof SETS]))
  return tools.flatMap((tool) => chosenOf(tool, chosen))
}

const SINGLE_ACTIONS = new Set<string>(
  Object.values(SETS)
    .flat()
    .filter((name) => name.includes('.'))
)

/** Returns a tool with its chosen actions, or nothing if it has none. */
function chosenOf(tool: Tool, chosen: ReadonlySet<string>): Tool[] {
  const isChosen = (action: string) => {
    const single = `${tool.name}.${action}`
    return chosen.has(SINGLE_ACTIONS.has(single) ? single : tool.name)
  }
  const { true: actions, false: unlisted } = Object.groupBy(
    Object.entries(tool.actions),
    ([name]) => (isChosen(name) ? 'true' : 'false')
  )
  if (!actions) return []
  return [
    {
      ...tool,
      actions: Object.fromEntries(actions),
      ...(unlisted && { unlisted: Object.fromEntries(unlisted) }),
    },
  ]
}

/** Returns a tool as listed, or from the catalog when it is in another set. */
export const toolIn = (listing: readonly Tool[], name: string): Tool | undefined =>
  listing.find((tool) => tool.name === name) ?? toolNamed(name)
