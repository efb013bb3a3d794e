import { as, of, select } from '#foundation/core/database/statement'
import { text, type RowOf } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { simulatedWorlds } from '../tables.js'
import { grown, type World } from '../world/world.js'

const OF_ORGANIZATION = select(
  // Its text tells whether it is the one that was read last.
  { ...of(simulatedWorlds, 'w'), state: as(text(), 'w.state') },
  'from simulated_worlds w where w.organization_id = :org'
)

/** Worlds as they were read last: one is asked many times before it changes. */
const read = new Map<string, { text: string; world: World }>()
const MOST_KEPT = 8

/** A world of its text. Nobody changes one in its place, so that all may have the same. */
function worldOf(id: string, stored: string): World {
  const known = read.get(id)
  if (known?.text === stored) return known.world
  const world = grown(JSON.parse(stored) as World)
  read.delete(id)
  read.set(id, { text: stored, world })
  const [oldest] = read.keys()
  if (read.size > MOST_KEPT) read.delete(oldest)
  return world
}

/** Which world it is, without all that is in it. */
const WHICH = select(
  of(simulatedWorlds, 'w', ['id', 'tokenHash']),
  'from simulated_worlds w where w.organization_id = :org'
)

/** The id of the world of the organization and the hash of its token; null while it has none. */
export async function whichWorld(scope: Scope): Promise<{ id: string; tokenHash: string } | null> {
  const [row] = await scope.rows(WHICH, {})
  return row ?? null
}

export type WorldRow = RowOf<typeof simulatedWorlds>

/** The world of the organization; null while it has none. */
export async function findOwnWorld(scope: Scope): Promise<WorldRow | null> {
  const [row] = await scope.rows(OF_ORGANIZATION, {})
  return row ? { ...row, state: worldOf(row.id, row.state) } : null
}

/** @throws not_found */
export async function findWorld(scope: Scope): Promise<WorldRow> {
  const row = await findOwnWorld(scope)
  if (row) return row
  throw refuse('not_found', {
    detail: 'The organization has no simulated world; sim:start makes one.',
  })
}

/** The same, changed by nobody else until the transaction ends. @throws not_found */
export async function lockWorld(scope: Scope): Promise<WorldRow> {
  const found = await whichWorld(scope)
  if (found) await scope.lock('simulated_worlds', found.id)
  return findWorld(scope)
}

/** Plugins whose connections lead into a world. */
const SIMULATORS = ['sim', 'sim-apple', 'sim-google', 'sim-git']

/** @throws not_found where no simulator is connected */
export async function demandConnected(scope: Scope): Promise<void> {
  const connected = await scope
    .table('connections')
    .whereIn('plugin_id', SIMULATORS)
    .whereNot('status', 'disconnected')
    .first()
  if (!connected) throw refuse('not_found', { detail: 'No simulators are connected.' })
}

/** The world's own time, in milliseconds since the epoch. */
export const timeIn = ({ aheadMs }: Pick<WorldRow, 'aheadMs'>, scope: Scope): number =>
  Date.parse(scope.now) + aheadMs
